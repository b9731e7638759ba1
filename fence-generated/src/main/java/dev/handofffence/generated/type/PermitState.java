package dev.handofffence.generated.type;

/** The state of a permit (protocol, section 1). */
public enum PermitState {
  /** Committed before any provider I/O; no invocation has used it yet. */
  GRANTED,
  /** Its one invocation has been admitted; an effect may exist. */
  ADMITTED,
  /** The attempt, or a proof, says that no effect came of it. */
  NO_EFFECT,
  /** The attempt, or a proof, says that its effect exists. */
  APPLIED,
  /** The attempt is over and nobody knows whether an effect exists. */
  UNRESOLVED
}
