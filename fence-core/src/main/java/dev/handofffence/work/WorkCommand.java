package dev.handofffence.work;

import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Who wants something done to one Work, and under which identity. Immutable.
 *
 * @param scope the tenant
 * @param workId which Work
 * @param commandId unique in the scope; repeating the command is answered with its first outcome
 * @param expectedRevision the revision on which the decision rests; required for every command but
 *     a cancellation
 * @param actor who decides, 1 to 200 characters; kept in the history
 * @param reason why, 1 to 2000 characters; kept in the history
 */
public record WorkCommand(
    ScopeId scope,
    WorkId workId,
    CommandId commandId,
    OptionalLong expectedRevision,
    String actor,
    String reason) {

  private static final int LONGEST_ACTOR = 200;
  private static final int LONGEST_REASON = 2000;

  /**
   * Checks the values.
   *
   * @param scope the tenant
   * @param workId which Work
   * @param commandId unique in the scope; repeating the command is answered with its first outcome
   * @param expectedRevision the revision on which the decision rests; required for every command
   *     but a cancellation
   * @param actor who decides, 1 to 200 characters; kept in the history
   * @param reason why, 1 to 2000 characters; kept in the history
   * @throws DurableException DUR100 when actor or reason is empty or too long
   */
  public WorkCommand {
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(workId, "workId");
    Objects.requireNonNull(commandId, "commandId");
    Objects.requireNonNull(expectedRevision, "expectedRevision");
    checkWhoAndWhy(actor, reason);
  }

  /**
   * {@return a command that expects no revision}
   *
   * @param scope the tenant
   * @param workId which Work
   * @param commandId unique in the scope; repeating the command is answered with its first outcome
   * @param actor who decides; kept in the history
   * @param reason why; kept in the history
   */
  public static WorkCommand of(
      ScopeId scope, WorkId workId, CommandId commandId, String actor, String reason) {
    return new WorkCommand(scope, workId, commandId, OptionalLong.empty(), actor, reason);
  }

  /**
   * {@return the same command, to be refused with DUR112 when the Work has another revision}
   *
   * @param revision the revision on which the decision rests
   */
  public WorkCommand expecting(long revision) {
    return new WorkCommand(scope, workId, commandId, OptionalLong.of(revision), actor, reason);
  }

  /** Returns a text without scope, actor and reason, which may name people. */
  @Override
  public String toString() {
    return "WorkCommand[workId=" + workId + "]";
  }

  static void checkWhoAndWhy(String actor, String reason) {
    checkLength("actor", actor, LONGEST_ACTOR);
    checkLength("reason", reason, LONGEST_REASON);
  }

  private static void checkLength(String what, String value, int longest) {
    if (value.isEmpty() || value.length() > longest) {
      throw new DurableException(
          Problem.INVALID_REQUEST,
          what + " of " + value.length() + " characters; allowed are 1 to " + longest);
    }
  }
}
