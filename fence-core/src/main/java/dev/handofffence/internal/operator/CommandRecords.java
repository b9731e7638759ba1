package dev.handofffence.internal.operator;

import dev.handofffence.internal.sql.CommandRecord;
import dev.handofffence.internal.state.CommandKind;
import dev.handofffence.internal.work.CanonicalDigest;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.ScopeCommand;
import dev.handofffence.work.WorkCommand;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Turns commands into what the store remembers of them. The fingerprint covers all that was asked
 * for; what is optional is named and appended only when present.
 */
final class CommandRecords {

  private static final String PURPOSE = "handoff-fence-command-1";

  private CommandRecords() {}

  static CommandRecord of(CommandKind kind, WorkCommand command, @Nullable Evidence evidence) {
    CanonicalDigest digest =
        begin(kind, command.actor(), command.reason()).text(command.workId().toString());
    command.expectedRevision().ifPresent(revision -> digest.text("revision").number(revision));
    if (evidence != null) {
      add(digest, evidence);
    }
    return new CommandRecord(
        kind,
        command.scope(),
        command.workId(),
        command.commandId(),
        command.expectedRevision(),
        command.actor(),
        command.reason(),
        digest.sum());
  }

  /** Returns the record of a command about a scope; its bounds do not make it another command. */
  static CommandRecord of(CommandKind kind, ScopeCommand command) {
    return new CommandRecord(
        kind,
        command.scope(),
        null,
        command.commandId(),
        OptionalLong.empty(),
        command.actor(),
        command.reason(),
        begin(kind, command.actor(), command.reason()).sum());
  }

  private static CanonicalDigest begin(CommandKind kind, String actor, String reason) {
    return new CanonicalDigest(PURPOSE).text(kind.text()).text(actor).text(reason);
  }

  private static void add(CanonicalDigest digest, Evidence evidence) {
    digest.text(evidence.isApplied() ? "applied" : "not_applied");
    evidence.resultFormat().ifPresent(format -> digest.text("result").text(format));
    evidence.result().ifPresent(digest::bytes);
  }
}
