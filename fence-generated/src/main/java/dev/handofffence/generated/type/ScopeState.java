package dev.handofffence.generated.type;

/** The state of a scope (protocol, section 1). */
public enum ScopeState {
  /** Work may be accepted and executed in it. */
  ACTIVE,
  /** A permanent tombstone: nothing is accepted or executed in it again. */
  DISABLED
}
