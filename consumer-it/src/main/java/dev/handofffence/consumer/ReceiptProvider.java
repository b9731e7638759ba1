package dev.handofffence.consumer;

import dev.handofffence.ActivityId;
import dev.handofffence.CancellationToken;

/** The external system: what it has done cannot be rolled back. */
@FunctionalInterface
public interface ReceiptProvider {

  /**
   * Sends a receipt. The provider drops repetitions of the same key.
   *
   * @return the provider's reference
   * @throws Exception when the outcome is not known to be a success
   */
  String send(ActivityId idempotencyKey, Receipt receipt, CancellationToken cancellation)
      throws Exception;
}
