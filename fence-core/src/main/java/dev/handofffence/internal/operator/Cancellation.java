package dev.handofffence.internal.operator;

import dev.handofffence.OperationResult;
import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.sql.CallersSavepoint;
import dev.handofffence.internal.sql.CommandSql;
import dev.handofffence.internal.sql.SqlFailure;
import dev.handofffence.internal.state.CommandKind;
import dev.handofffence.internal.transaction.CallersTransaction;
import dev.handofffence.work.CommandOutcome;
import dev.handofffence.work.WorkCancellation;
import dev.handofffence.work.WorkCommand;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.Configuration;

/** Cancels Work for the application, with the runtime's credential. */
public final class Cancellation implements WorkCancellation {

  private static final String OPERATION = "Cancelling Work";
  private static final String READ_ONLY = "25006";

  private final StoreIdentity store;
  private final WorkCommands own;

  /**
   * Opens nothing.
   *
   * @param runtime connections of the runtime role, for cancellation in a transaction of its own
   */
  public Cancellation(StoreIdentity store, DataSource runtime) {
    this.store = Objects.requireNonNull(store, "store");
    this.own = new WorkCommands(store, runtime);
  }

  @Override
  public OperationResult<CommandOutcome> cancel(Configuration transaction, WorkCommand command) {
    return CallersTransaction.with(transaction, connection -> cancel(connection, command));
  }

  @Override
  public OperationResult<CommandOutcome> cancel(WorkCommand command) {
    return own.cancel(command);
  }

  @Override
  public OperationResult<CommandOutcome> cancel(Connection transaction, WorkCommand command) {
    CallersTransaction.require(transaction);
    CommandExecution execution =
        new CommandExecution(
            store, CommandRecords.of(CommandKind.CANCEL, command, null), CommandJudge::cancel);
    return Refusable.run(() -> inSavepoint(transaction, execution));
  }

  private static OperationResult<CommandOutcome> inSavepoint(
      Connection transaction, CommandExecution execution) {
    try {
      requireReadCommitted(transaction);
      OperationResult<CommandOutcome> result = attempt(transaction, execution);
      if (result.isSuccess()) {
        CallersSavepoint.keep(transaction);
      } else {
        CallersSavepoint.undo(transaction);
      }
      return result;
    } catch (SQLException e) {
      if (READ_ONLY.equals(e.getSQLState())) {
        throw CallersTransaction.required("the transaction is read-only");
      }
      throw SqlFailure.ofStatement(OPERATION, e);
    }
  }

  private static void requireReadCommitted(Connection transaction) throws SQLException {
    String isolation = CallersSavepoint.enter(transaction);
    if (!isolation.equals("read committed")) {
      CallersSavepoint.undo(transaction);
      throw CallersTransaction.required("isolation level " + isolation);
    }
  }

  private static OperationResult<CommandOutcome> attempt(
      Connection transaction, CommandExecution execution) throws SQLException {
    try {
      return execution.carryOut(transaction, CommandSql.lock(transaction, execution.command()));
    } catch (SQLException | RuntimeException failure) {
      undo(transaction, failure);
      throw failure;
    }
  }

  private static void undo(Connection transaction, Exception failure) {
    try {
      CallersSavepoint.undo(transaction);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }
}
