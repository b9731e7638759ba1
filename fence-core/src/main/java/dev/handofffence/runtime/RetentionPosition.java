package dev.handofffence.runtime;

import java.util.Optional;

/**
 * Where retention has got to: what one pass returns and the next one begins with. Immutable.
 *
 * @param inIdentities whether Work is done with, and the memory of commands is looked through
 * @param scope the scope that was looked at last; empty at the beginning
 * @param key the last key in it; empty when it was looked through
 */
public record RetentionPosition(
    boolean inIdentities, Optional<String> scope, Optional<String> key) {

  /** The beginning. */
  public static final RetentionPosition START =
      new RetentionPosition(false, Optional.empty(), Optional.empty());

  /** Returns a text without scope and key, which may name a customer. */
  @Override
  public String toString() {
    return "RetentionPosition[" + (inIdentities ? "identities" : "work") + "]";
  }
}
