package dev.handofffence.internal.handoff;

import dev.handofffence.handoff.HandoffCleanupException;
import dev.handofffence.handoff.HandoffViolationException;
import dev.handofffence.internal.sql.HandoffFacts;
import dev.handofffence.internal.sql.HandoffSettlementSql;
import dev.handofffence.internal.sql.HandoffSettlementSql.Undone;
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
  void undo(HandoffFacts entry) {
    requireSound(ask(() -> HandoffSettlementSql.undo(connection, entry)));
  }

  /**
   * Undoes after a failure, which is lost when that is impossible.
   *
   * @return whether the role may read the rows of a handoff afterwards
   */
  boolean undoAndFindReadable(HandoffFacts entry, Throwable failure) {
    try {
      Undone undone = ask(() -> HandoffSettlementSql.undoAndFindReadable(connection, entry));
      requireSound(undone.isSound());
      return undone.isReadable();
    } catch (HandoffCleanupException e) {
      e.addSuppressed(failure);
      throw e;
    }
  }

  /** Removes everything of the call, locks included; before the callback. */
  void withdraw() {
    settle(() -> HandoffSettlementSql.withdraw(connection));
  }

  /** Removes everything of the call, locks included; after the callback began. */
  private void withdraw(HandoffFacts entry) {
    requireSound(ask(() -> HandoffSettlementSql.withdraw(connection, entry)));
  }

  /** Withdraws after a failure; true when the schema is missing. */
  boolean withdrawAndFindSchemaMissing(Throwable failure) {
    return askAfter(failure, () -> HandoffSettlementSql.withdrawAndFindSchemaMissing(connection));
  }

  /**
   * Withdraws for the token's sake, before the callback.
   *
   * @param seen what the token's cancellation was seen with
   * @return what the caller is told
   */
  CancellationException withdrawCancelled(@Nullable Throwable seen) {
    return cancelled(seen, this::withdraw);
  }

  /** Withdraws for the token's sake, after the callback began. */
  CancellationException withdrawCancelled(@Nullable Throwable seen, HandoffFacts entry) {
    return cancelled(seen, () -> withdraw(entry));
  }

  private static CancellationException cancelled(@Nullable Throwable seen, Runnable withdrawal) {
    CancellationException cancelled = FenceErrors.cancelled(seen);
    try {
      withdrawal.run();
    } catch (HandoffCleanupException e) {
      e.addSuppressed(cancelled);
      throw e;
    }
    return cancelled;
  }

  /** Undoes after a violation, which is lost when the callback destroyed the savepoint as well. */
  void undoAfter(HandoffViolationException violation, HandoffFacts entry) {
    try {
      undo(entry);
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

  /** Whatever the caller makes of the exception, it must not be able to commit what is left. */
  private void requireSound(boolean isSound) {
    if (isSound) {
      return;
    }
    HandoffCleanupException replaced =
        FenceErrors.unknownState("The callback replaced a savepoint of the fence", null);
    after(replaced, () -> settle(() -> HandoffSettlementSql.abort(connection)));
    throw replaced;
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

  private <T> T ask(Trip.Statements<T> question) {
    try {
      return Trip.send(() -> withinBudget(question));
    } catch (SQLException | RuntimeException e) {
      String state = e instanceof SQLException sql ? ", SQLSTATE " + sql.getSQLState() : "";
      throw FenceErrors.unknownState("The handoff could not be settled" + state, e);
    }
  }

  /** A read that takes longer than the budget breaks the connection, as it must. */
  private <T> T withinBudget(Trip.Statements<T> question) throws SQLException {
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
