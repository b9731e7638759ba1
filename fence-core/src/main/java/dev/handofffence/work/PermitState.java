package dev.handofffence.work;

/** What is known about the effect of one permit (protocol section 1). */
public enum PermitState {
  /** The effect is permitted; no invocation was admitted yet. */
  GRANTED,
  /** An invocation was admitted: the effect may happen now. */
  ADMITTED,
  /** There was none. */
  NO_EFFECT,
  /** It happened. */
  APPLIED,
  /** Nobody knows whether it happened. */
  UNRESOLVED
}
