package dev.handofffence.work;

import dev.handofffence.OperationResult;
import java.sql.Connection;
import org.jooq.Configuration;

/**
 * Cancels accepted Work (protocol section 4). Thread-safe.
 *
 * <p>Before a permit the Work is canceled at once. Afterwards the request is recorded: the token of
 * a running executor fires with the next renewal of its lease, and the Work ends as its provider
 * safety allows. Work of which an effect may have happened is never reported as canceled.
 *
 * <p>A handoff that is open holds the Work: cancelling waits for its transaction. Cancel before
 * taking application locks, and never inside a handoff callback.
 */
public interface WorkCancellation {

  /**
   * Cancels in the caller's jOOQ transaction; nothing of it is visible unless that commits.
   *
   * @param transaction Configuration of an open READ COMMITTED transaction
   * @param command who wants it, of which Work, and under which identity; a revision is optional
   * @return what was done; or a schema problem, DUR115, DUR108, DUR113 or DUR111 for an unknown
   *     Work, DUR110 for one that has ended, DUR112 for an unexpected revision, DUR102 for a
   *     command id that was used for something else; with nothing written and the transaction
   *     usable
   * @throws dev.handofffence.DurableException DUR101 for an unusable transaction; DUR103 when the
   *     connection is lost
   * @throws org.jooq.exception.DataAccessException any other database error; what this call did is
   *     rolled back, and the transaction is usable where PostgreSQL allows it
   */
  OperationResult<CommandOutcome> cancel(Configuration transaction, WorkCommand command);

  /**
   * Cancels in the caller's JDBC transaction; otherwise as the overload for jOOQ.
   *
   * @param transaction an open READ COMMITTED transaction's connection
   * @param command who wants it, of which Work, and under which identity; a revision is optional
   * @return as the overload for jOOQ
   */
  OperationResult<CommandOutcome> cancel(Connection transaction, WorkCommand command);

  /**
   * Cancels in a transaction of its own, which has committed when this returns; otherwise as the
   * overload for jOOQ. DUR118 when the Work stays locked for ten seconds.
   *
   * @param command who wants it, of which Work, and under which identity; a revision is optional
   * @return as the overload for jOOQ
   */
  OperationResult<CommandOutcome> cancel(WorkCommand command);
}
