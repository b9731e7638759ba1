package dev.handofffence.internal.handoff;

import dev.handofffence.handoff.HandoffCleanupException;
import dev.handofffence.handoff.HandoffViolationException;
import dev.handofffence.internal.sql.HandoffSession;
import dev.handofffence.internal.sql.HandoffSettlementSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The last statements of a call: they leave the caller's transaction in a known state or throw.
 * They have five seconds of their own, which neither the token nor an interrupt cuts short.
 */
final class Settlement {

  private static final int BUDGET_MILLIS = 5_000;

  private final Connection connection;

  Settlement(Connection connection) {
    this.connection = connection;
  }

  /** Keeps the callback's writes and the locks. */
  void keep() {
    settle(() -> HandoffSettlementSql.keep(connection));
  }

  /** Removes the callback's writes and changes of settings; keeps the locks. */
  void undo(HandoffSession prior) {
    if (!ask(() -> HandoffSettlementSql.undo(connection, prior))) {
      throw FenceErrors.unknownState("The callback replaced a savepoint of the fence", null);
    }
  }

  /** Undoes after a failure; true when the role may read the rows of a handoff afterwards. */
  boolean undoAndFindReadable(HandoffSession prior, Throwable failure) {
    return askAfter(failure, () -> HandoffSettlementSql.undoAndFindReadable(connection, prior));
  }

  /** Removes everything of the call, locks included. */
  void withdraw() {
    settle(() -> HandoffSettlementSql.withdraw(connection));
  }

  /** Withdraws after a failure; true when the schema is missing. */
  boolean withdrawAndFindSchemaMissing(Throwable failure) {
    return askAfter(failure, () -> HandoffSettlementSql.withdrawAndFindSchemaMissing(connection));
  }

  /**
   * Withdraws for the token's sake.
   *
   * @param seen what the token's cancellation was seen with
   * @return what the caller is told
   */
  CancellationException withdrawCancelled(@Nullable Throwable seen) {
    CancellationException cancelled = FenceErrors.cancelled(seen);
    try {
      withdraw();
    } catch (HandoffCleanupException e) {
      e.addSuppressed(cancelled);
      throw e;
    }
    return cancelled;
  }

  /** Undoes after a violation, which is lost when the callback destroyed the savepoint as well. */
  void undoAfter(HandoffViolationException violation, HandoffSession prior) {
    try {
      undo(prior);
    } catch (HandoffCleanupException e) {
      e.addSuppressed(violation);
      throw e;
    }
  }

  /** Cleans up after a failure, which survives: a failure of the cleanup is suppressed on it. */
  static void after(Throwable failure, Runnable cleanup) {
    try {
      cleanup.run();
    } catch (HandoffCleanupException e) {
      failure.addSuppressed(e);
    }
  }

  /** One of the settlements. */
  @FunctionalInterface
  private interface Ending {
    void run() throws SQLException;
  }

  private void settle(Ending ending) {
    ask(
        () -> {
          ending.run();
          return true;
        });
  }

  private boolean askAfter(Throwable failure, Trip.Statements<Boolean> question) {
    try {
      return ask(question);
    } catch (HandoffCleanupException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  private boolean ask(Trip.Statements<Boolean> question) {
    try {
      return Trip.send(() -> withinBudget(question));
    } catch (SQLException | RuntimeException e) {
      String state = e instanceof SQLException sql ? ", SQLSTATE " + sql.getSQLState() : "";
      throw FenceErrors.unknownState("The handoff could not be settled" + state, e);
    }
  }

  /** A read that takes longer than the budget breaks the connection, as it must. */
  private boolean withinBudget(Trip.Statements<Boolean> question) throws SQLException {
    int callers = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, BUDGET_MILLIS);
    try {
      return question.send();
    } finally {
      if (!connection.isClosed()) {
        connection.setNetworkTimeout(Runnable::run, callers);
      }
    }
  }
}
