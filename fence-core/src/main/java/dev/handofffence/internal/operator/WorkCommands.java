package dev.handofffence.internal.operator;

import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.sql.CommandRecord;
import dev.handofffence.internal.sql.CommandSql;
import dev.handofffence.internal.state.CommandFacts;
import dev.handofffence.internal.state.CommandKind;
import dev.handofffence.internal.transaction.OwnTransaction;
import dev.handofffence.work.CommandOutcome;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.WorkCommand;
import java.time.Duration;
import java.util.function.Function;
import javax.sql.DataSource;

/** Commands about one Work, each in a transaction of its own. */
public final class WorkCommands {

  /** A handoff that is open holds its Work for about as long as its application allows. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final StoreIdentity store;
  private final DataSource source;

  public WorkCommands(StoreIdentity store, DataSource source) {
    this.store = store;
    this.source = source;
  }

  public OperationResult<CommandOutcome> cancel(WorkCommand command) {
    return perform(CommandRecords.of(CommandKind.CANCEL, command, null), CommandJudge::cancel);
  }

  /**
   * Decides by evidence.
   *
   * @param kind RECONCILE or RESOLVE
   */
  public OperationResult<CommandOutcome> prove(
      CommandKind kind, WorkCommand command, Evidence evidence) {
    requireRevision(command);
    return perform(
        CommandRecords.of(kind, command, evidence),
        facts -> CommandJudge.prove(facts, kind, evidence));
  }

  public OperationResult<CommandOutcome> retry(WorkCommand command) {
    requireRevision(command);
    return perform(CommandRecords.of(CommandKind.RETRY, command, null), CommandJudge::retry);
  }

  public OperationResult<CommandOutcome> release(WorkCommand command) {
    requireRevision(command);
    return perform(
        CommandRecords.of(CommandKind.RELEASE, command, null),
        facts -> CommandJudge.release(facts, store.epoch()));
  }

  private OperationResult<CommandOutcome> perform(
      CommandRecord command, Function<CommandFacts, CommandVerdict> judge) {
    CommandExecution execution = new CommandExecution(store, command, judge);
    return Refusable.run(
        () ->
            OwnTransaction.run(
                source,
                "The command " + command.kind().text(),
                connection ->
                    execution.carryOut(
                        connection, CommandSql.lock(connection, command, PATIENCE))));
  }

  /** What was decided on an older state may be wrong for the present one. */
  private static void requireRevision(WorkCommand command) {
    if (command.expectedRevision().isEmpty()) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "no expected revision; say expecting(revision)");
    }
  }
}
