package dev.handofffence.handoff;

import java.io.Serial;
import java.util.Objects;

/**
 * The transaction of a prepared handoff did not commit, or cannot be known to have: the provider
 * must not be called.
 */
public final class HandoffNotCommittedException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /** What is known of it. */
  private final TransactionOutcome outcome;

  /**
   * Makes one with what is known of the transaction.
   *
   * @param outcome what is known of it
   */
  public HandoffNotCommittedException(TransactionOutcome outcome) {
    super(
        "The handoff's transaction is not known to be committed ("
            + outcome
            + "); do not call the provider");
    this.outcome = Objects.requireNonNull(outcome, "outcome");
  }

  /** {@return what is known of the transaction} */
  public TransactionOutcome outcome() {
    return outcome;
  }
}
