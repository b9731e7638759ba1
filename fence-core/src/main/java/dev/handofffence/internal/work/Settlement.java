package dev.handofffence.internal.work;

import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.internal.sql.FactsSql;
import dev.handofffence.internal.sql.TransitionSql;
import dev.handofffence.internal.state.WorkFacts;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.transaction.FailureKind;
import dev.handofffence.internal.transaction.StoreConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;

/**
 * The slow path: one Work at a time is locked, its facts are read, judged here, and one named
 * transition follows in the same transaction.
 */
final class Settlement {

  private final StoreIdentity store;
  private final Duration patience;

  /**
   * Keeps the values.
   *
   * @param patience how long to wait for each lock
   */
  Settlement(StoreIdentity store, Duration patience) {
    this.store = store;
    this.patience = patience;
  }

  /**
   * Settles one Work; does nothing when it does not exist, or stays locked.
   *
   * @throws dev.handofffence.internal.store.UnusableStoreException with nothing changed
   */
  Ending settle(
      StoreConnection connection, ScopeId scope, WorkId workId, Function<WorkFacts, Verdict> judge)
      throws SQLException {
    try {
      return settleLocked(connection, scope, workId, judge);
    } catch (SQLException e) {
      if (FailureKind.of(e) == FailureKind.BUSY) {
        return Ending.BUSY;
      }
      throw e;
    }
  }

  private Ending settleLocked(
      StoreConnection connection, ScopeId scope, WorkId workId, Function<WorkFacts, Verdict> judge)
      throws SQLException {
    return connection.inTransaction(
        transaction -> {
          FactsSql.Locked locked = FactsSql.lock(transaction, scope, workId, patience);
          StoreCheck.require(locked.store(), store);
          WorkFacts facts = locked.facts();
          return facts == null
              ? Ending.NONE
              : carryOut(judge.apply(facts), transaction, new TransitionSql(scope, workId, facts));
        });
  }

  private static Ending carryOut(Verdict verdict, Connection transaction, TransitionSql work)
      throws SQLException {
    if (verdict instanceof Verdict.Quarantine late) {
      work.quarantine(transaction, late.claim(), late.code());
      return Ending.QUARANTINED;
    } else if (verdict instanceof Verdict.Move move) {
      if (move.permit() != null) {
        work.settlePermit(transaction, move.permit());
      }
      return take(move.step(), transaction, work);
    }
    return ((Verdict.Leave) verdict).ending();
  }

  private static Ending take(Verdict.Step step, Connection transaction, TransitionSql work)
      throws SQLException {
    if (step instanceof Verdict.Step.Succeed succeed) {
      work.succeed(transaction, succeed.result());
      return Ending.SUCCEEDED;
    } else if (step instanceof Verdict.Step.Retry retry) {
      work.retry(transaction, retry.code());
      return Ending.RETRIED;
    } else if (step instanceof Verdict.Step.Fail fail) {
      work.fail(transaction, fail.code());
      return Ending.FAILED;
    } else if (step instanceof Verdict.Step.Cancel cancel) {
      work.cancel(transaction, cancel.code());
      return Ending.CANCELED;
    }
    Verdict.Step.Suspend suspend = (Verdict.Step.Suspend) step;
    work.suspend(transaction, suspend.reason(), suspend.code());
    return Ending.SUSPENDED;
  }
}
