package dev.handofffence.work;

import dev.handofffence.Problem;

/** Why a Work is suspended (protocol section 1). */
public enum SuspendReason {
  /** An earlier permit is unresolved and no further attempt is allowed. */
  AMBIGUOUS_OUTCOME(Problem.AMBIGUOUS_OUTCOME),
  /** The outcome of an effect is unknown and the reconciler or an operator has to look. */
  RECONCILIATION_REQUIRED(Problem.AMBIGUOUS_OUTCOME),
  /** The outcome of an effect is unknown and only an operator can tell. */
  MANUAL_RESOLUTION(Problem.AMBIGUOUS_OUTCOME),
  /** No registered executor can run it. */
  CONTRACT_UNAVAILABLE(Problem.CONTRACT_UNAVAILABLE),
  /** Its scope was disabled. */
  SCOPE_DISABLED(Problem.SCOPE_DISABLED),
  /** It belongs to an earlier epoch and was not released yet. */
  EPOCH_CHANGED(Problem.EPOCH_MISMATCH);

  private final Problem problem;

  SuspendReason(Problem problem) {
    this.problem = problem;
  }

  /** {@return the catalog entry that says what to do about it} */
  public Problem problem() {
    return problem;
  }
}
