package dev.handofffence.internal.state;

import java.util.Locale;

/** What somebody wants done to a Work or a scope (protocol section 4). */
public enum CommandKind {
  /** No effect any more, if that is still possible. */
  CANCEL,
  /** What the provider answered about an effect whose outcome was unknown. */
  RECONCILE,
  /** What a person says about it. */
  RESOLVE,
  /** Another attempt, although the executor stopped. */
  RETRY,
  /** Go on: what held the Work up is gone. */
  RELEASE,
  /** Disable a scope for good. */
  DISABLE_SCOPE,
  /** Release a batch of a scope's Work after a rotation of the epoch. */
  RELEASE_EPOCH;

  /** Returns the text under which the store keeps it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
