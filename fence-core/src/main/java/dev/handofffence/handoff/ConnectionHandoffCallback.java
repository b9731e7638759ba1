package dev.handofffence.handoff;

import dev.handofffence.CancellationToken;
import java.sql.Connection;

/**
 * The authorise-and-record step of an application on plain JDBC. Database work on the given
 * transaction only: no provider call, no commit or rollback, no other connection (protocol section
 * 10).
 *
 * @param <X> checked exception that it may throw
 */
@FunctionalInterface
public interface ConnectionHandoffCallback<X extends Exception> {

  /**
   * Revalidates authority and records the handoff.
   *
   * @param transaction the caller's connection
   * @param cancellation the caller's token
   * @return true when this invocation may have the effect and the ledger says so; false removes the
   *     step's writes
   * @throws X whatever it likes: it comes out of the fence as it is, after the writes are rolled
   *     back
   */
  boolean authorizeAndRecord(Connection transaction, CancellationToken cancellation) throws X;
}
