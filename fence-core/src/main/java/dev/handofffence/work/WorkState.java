package dev.handofffence.work;

/** Where a Work stands (protocol section 1). */
public enum WorkState {
  /** Accepted, or waiting for a retry. */
  READY,
  /** One attempt owns it; nothing was permitted yet. */
  CLAIMED,
  /** The owning attempt may have its effect. */
  PERMITTED,
  /** It waits for a decision; the reason says whose. */
  SUSPENDED,
  /** The effect happened. */
  SUCCEEDED,
  /** It ended without any effect. */
  FAILED,
  /** It was canceled without any effect. */
  CANCELED;

  /** {@return whether no transition leaves this state} */
  public boolean isTerminal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELED;
  }
}
