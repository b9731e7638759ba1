package dev.handofffence.handoff;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import java.sql.Connection;
import org.jooq.Configuration;

/**
 * Asks the database, right before an effect, whether this invocation may still have it: one
 * decision from the library's authority (live claim, lease, permit, scope, epoch) and the
 * application's own, inside the application's transaction.
 *
 * <p>A prepared handoff is provisional until the caller commits; call the provider only after the
 * commit. The fence never begins, commits, rolls back or closes what it is given, and changes none
 * of its settings. The native locks it takes stay until the caller ends the transaction. Call it
 * before taking application locks.
 *
 * <p>Each call costs three network round trips, two when it is refused before the callback, and two
 * savepoints: about 30 calls in one transaction are the most before PostgreSQL's cache of
 * subtransactions overflows, which is logged. The driver is pgjdbc in query mode extended or
 * extendedForPrepared, 42.7.10 or newer when its autosave is on.
 *
 * <p>The token also ends statements of the callback that are in flight when it is cancelled.
 *
 * <p>The instance belongs to one invocation and works only while that invocation's {@code execute}
 * runs, from any of its threads, one call at a time.
 *
 * @see "protocol sections 5, 6, 7 and 10"
 */
public interface HandoffFence {

  /**
   * Runs the application's authorise-and-record step under the fence.
   *
   * @param <X> checked exception of the callback
   * @param transaction a Configuration whose connection has an open READ COMMITTED transaction,
   *     autocommit off
   * @param authorizeAndRecordHandoff called at most once, with exactly this Configuration and
   *     token; returns true only after it has revalidated authority and made its conditional ledger
   *     write in this transaction
   * @param cancellation the caller's token; cancelling it ends a wait for a lock promptly
   * @return success with {@code handoffPrepared} as the callback returned it, or the first refusal
   *     of protocol section 7
   * @throws X what the callback threw, the same instance, after its writes were rolled back
   * @throws IllegalStateException when another call on this fence has not returned yet
   * @throws dev.handofffence.DurableException DUR101 or DUR115 when the transaction is not usable;
   *     it stays as it was
   * @throws java.util.concurrent.CancellationException when the token was cancelled before the
   *     final decision
   * @throws HandoffViolationException when the callback swallowed an SQL error or changed the
   *     session; its writes were rolled back
   * @throws HandoffCleanupException when the state of the transaction is unknown: roll back and
   *     close
   * @throws org.jooq.exception.DataAccessException a PostgreSQL error of the fence's own
   *     statements, with its SQLSTATE; the transaction is usable where PostgreSQL allows it
   */
  <X extends Exception> OperationResult<HandoffResult> execute(
      Configuration transaction,
      HandoffCallback<X> authorizeAndRecordHandoff,
      CancellationToken cancellation)
      throws X;

  /**
   * Runs the authorise-and-record step on a plain JDBC connection; otherwise as the other overload.
   *
   * @param <X> checked exception of the callback
   * @param transaction an open READ COMMITTED transaction's connection, autocommit off
   * @param authorizeAndRecordHandoff called at most once, with exactly this connection and token
   * @param cancellation the caller's token; cancelling it ends a wait for a lock promptly
   * @return as the other overload
   * @throws X what the callback threw, the same instance
   */
  <X extends Exception> OperationResult<HandoffResult> execute(
      Connection transaction,
      ConnectionHandoffCallback<X> authorizeAndRecordHandoff,
      CancellationToken cancellation)
      throws X;
}
