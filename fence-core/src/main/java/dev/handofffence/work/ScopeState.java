package dev.handofffence.work;

/** Whether a scope may be used (protocol section 1). */
public enum ScopeState {
  /** Work is accepted and run. */
  ACTIVE,
  /** Disabled for good. */
  DISABLED
}
