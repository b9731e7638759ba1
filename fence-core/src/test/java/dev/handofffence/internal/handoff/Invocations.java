package dev.handofffence.internal.handoff;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.claim.Claim;

/** Makes invocations for tests, from inside the package, without a pump. */
public final class Invocations {

  private Invocations() {}

  public static Invocation prepare(Claim claim, StoreIdentity store, FenceSettings settings) {
    return new Invocation(claim, store, settings);
  }
}
