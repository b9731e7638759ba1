package dev.handofffence.generated.type;

/** Why a Work is {@link WorkState#SUSPENDED} (protocol, section 1). */
public enum SuspendReason {
  /** A permit may have had an effect, and no attempt is left that could find out. */
  AMBIGUOUS_OUTCOME,
  /** The outcome is unknown and a reconciler has to look before another attempt. */
  RECONCILIATION_REQUIRED,
  /** The outcome is unknown and an operator has to decide. */
  MANUAL_RESOLUTION,
  /** No executor or codec could be prepared for its contract. */
  CONTRACT_UNAVAILABLE,
  /** Its scope has been disabled. */
  SCOPE_DISABLED,
  /** It was accepted or claimed under an epoch that is no longer active. */
  EPOCH_CHANGED
}
