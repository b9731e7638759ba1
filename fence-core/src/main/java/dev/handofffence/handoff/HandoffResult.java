package dev.handofffence.handoff;

import dev.handofffence.TransactionId;
import java.util.Objects;

/**
 * The fence's decision: provisional until the caller commits, and valid for this invocation only.
 *
 * @param handoffPrepared whether the callback authorised and recorded the handoff
 * @param transactionId the caller's transaction, to resolve a commit of unknown outcome
 */
public record HandoffResult(boolean handoffPrepared, TransactionId transactionId) {
  /**
   * Checks the values.
   *
   * @param handoffPrepared whether the callback authorised and recorded the handoff
   * @param transactionId the caller's transaction, to resolve a commit of unknown outcome
   */
  public HandoffResult {
    Objects.requireNonNull(transactionId, "transactionId");
  }
}
