package dev.handofffence;

import java.util.Objects;

/**
 * Identity of one transaction of one store, with which a commit of unknown outcome can be resolved
 * (protocol section 5).
 *
 * @param store the store and epoch in which the transaction ran
 * @param value PostgreSQL's 64-bit transaction id ({@code pg_current_xact_id})
 */
public record TransactionId(StoreIdentity store, long value) {
  /**
   * Checks the values.
   *
   * @param store the store and epoch in which the transaction ran
   * @param value PostgreSQL's 64-bit transaction id ({@code pg_current_xact_id})
   */
  public TransactionId {
    Objects.requireNonNull(store, "store");
  }
}
