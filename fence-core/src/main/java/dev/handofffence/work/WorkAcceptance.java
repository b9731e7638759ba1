package dev.handofffence.work;

import dev.handofffence.OperationResult;
import java.sql.Connection;
import org.jooq.Configuration;

/**
 * Accepts Work durably (protocol section 4). Thread-safe.
 *
 * <p>In the caller's transaction the Work exists when, and only when, that transaction commits. A
 * refusal leaves it usable. Accept before taking application locks, several scopes in scope id
 * order, and never inside a handoff callback.
 */
public interface WorkAcceptance {

  /**
   * Accepts in the caller's jOOQ transaction.
   *
   * @param transaction Configuration of an open READ COMMITTED transaction
   * @return the ids; or DUR102, DUR107, DUR108, DUR115 or a schema problem, with nothing written
   * @throws dev.handofffence.DurableException DUR100 for a payload that cannot be encoded or is too
   *     large, DUR101 for an unusable transaction; both before any SQL
   */
  OperationResult<AcceptedWork> accept(Configuration transaction, WorkRequest<?, ?> request);

  /** Accepts in the caller's JDBC transaction; otherwise as the overload for jOOQ. */
  OperationResult<AcceptedWork> accept(Connection transaction, WorkRequest<?, ?> request);

  /** Accepts in a transaction of its own, which has committed when this returns. */
  OperationResult<AcceptedWork> accept(WorkRequest<?, ?> request);
}
