package dev.handofffence.work;

import dev.handofffence.OperationResult;
import java.sql.Connection;
import java.util.List;
import org.jooq.Configuration;

/**
 * Accepts Work durably (protocol section 4). Thread-safe.
 *
 * <p>In the caller's transaction the Work exists when, and only when, that transaction commits. A
 * refusal leaves it usable and writes nothing; the scope setting of the caller is as it was. Accept
 * before taking application locks, several scopes in scope id order, and never inside a handoff
 * callback.
 *
 * <p>A command that is repeated with the same content is answered with the original ids, also when
 * the first one is still uncommitted: the repetition waits for it.
 */
public interface WorkAcceptance {

  /** The most requests of one batch. */
  int MAX_BATCH_REQUESTS = 1_000;

  /** The most scopes of one batch. */
  int MAX_BATCH_SCOPES = 40;

  /**
   * Accepts in the caller's jOOQ transaction.
   *
   * @param transaction Configuration of an open READ COMMITTED transaction
   * @param request what is to be done
   * @return the ids; or a schema problem, DUR115, DUR108, DUR107, DUR102 or, for new Work whose
   *     deadline is not after the database's time, DUR123; with nothing written
   * @throws dev.handofffence.DurableException DUR100 for a payload that cannot be encoded or is too
   *     large, before any SQL; DUR101 for an unusable transaction; DUR103 when the connection is
   *     lost
   * @throws org.jooq.exception.DataAccessException any other database error, such as a lock
   *     timeout; what this call did is rolled back, and the transaction is usable where PostgreSQL
   *     allows it
   */
  OperationResult<AcceptedWork> accept(Configuration transaction, WorkRequest<?, ?> request);

  /**
   * Accepts in the caller's JDBC transaction; otherwise as the overload for jOOQ.
   *
   * @param transaction an open READ COMMITTED transaction's connection
   * @param request what is to be done
   * @return as the overload for jOOQ
   */
  OperationResult<AcceptedWork> accept(Connection transaction, WorkRequest<?, ?> request);

  /**
   * Accepts in a transaction of the library's, which has committed when this returns. Requests that
   * come at the same time may share it, and neither wait for what one of them has to wait for nor
   * fail with it.
   *
   * @param request what is to be done
   * @return as the overload for jOOQ
   */
  OperationResult<AcceptedWork> accept(WorkRequest<?, ?> request);

  /**
   * Accepts many in the caller's jOOQ transaction, in one round trip (two when a scope is used for
   * the first time). Every request has its own result, as {@link #accept(Configuration,
   * WorkRequest)} would give it; an exception concerns the whole batch. Where some of its scopes
   * are used for the first time and others are not, roll the transaction back after an exception:
   * what was accepted in the others is in it.
   *
   * @param requests at most {@link #MAX_BATCH_REQUESTS} in at most {@link #MAX_BATCH_SCOPES}
   *     scopes, in any order
   * @param transaction an open READ COMMITTED transaction's connection
   * @return as many results, in the order of the requests
   */
  List<OperationResult<AcceptedWork>> acceptAll(
      Configuration transaction, List<? extends WorkRequest<?, ?>> requests);

  /**
   * Accepts many in the caller's JDBC transaction; otherwise as the overload for jOOQ.
   *
   * @param transaction an open READ COMMITTED transaction's connection
   * @param requests at most {@link #MAX_BATCH_REQUESTS} in at most {@link #MAX_BATCH_SCOPES}
   *     scopes, in any order
   * @return as the overload for jOOQ
   */
  List<OperationResult<AcceptedWork>> acceptAll(
      Connection transaction, List<? extends WorkRequest<?, ?>> requests);

  /**
   * Accepts many in transactions of its own, which have committed when this returns: one for the
   * scopes that exist and one for those used for the first time. After an exception repeat the
   * batch with the same command ids: what had been accepted is answered as a duplicate.
   *
   * @param requests at most {@link #MAX_BATCH_REQUESTS} in at most {@link #MAX_BATCH_SCOPES}
   *     scopes, in any order
   * @return as the overload for jOOQ
   */
  List<OperationResult<AcceptedWork>> acceptAll(List<? extends WorkRequest<?, ?>> requests);
}
