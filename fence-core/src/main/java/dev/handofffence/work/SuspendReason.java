package dev.handofffence.work;

/** Why a Work is suspended (protocol section 1). */
public enum SuspendReason {
  /** An earlier permit is unresolved and no further attempt is allowed. */
  AMBIGUOUS_OUTCOME,
  /** The outcome of an effect is unknown and the reconciler or an operator has to look. */
  RECONCILIATION_REQUIRED,
  /** The outcome of an effect is unknown and only an operator can tell. */
  MANUAL_RESOLUTION,
  /** No registered executor can run it. */
  CONTRACT_UNAVAILABLE,
  /** Its scope was disabled. */
  SCOPE_DISABLED,
  /** It belongs to an earlier epoch and was not released yet. */
  EPOCH_CHANGED
}
