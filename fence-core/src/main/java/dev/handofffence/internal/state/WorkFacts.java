package dev.handofffence.internal.state;

import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.ProviderSafety;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.claim.Claim;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One Work as it was under its locks, times already compared with the database's clock.
 *
 * @param permit state of the permit of the current lease generation; null when there is none
 * @param otherOpenPermits permits of earlier attempts that are not known to have had no effect
 * @param retryDue whether the policy has another attempt after this one, before every limit
 */
public record WorkFacts(
    WorkState state,
    long revision,
    int attempt,
    long leaseGeneration,
    @Nullable UUID leaseOwner,
    long scopeGeneration,
    UUID epoch,
    boolean cancelRequested,
    ProviderSafety safety,
    boolean scopeActive,
    Lease lease,
    Limits limits,
    @Nullable PermitState permit,
    int otherOpenPermits,
    boolean retryDue) {

  /** Whether and how the dispatch row says that the Work is runnable or owned. */
  public enum Lease {
    /** There is no dispatch row: the Work waits for nobody. */
    ABSENT,
    /** Not owned, and due later. */
    NOT_DUE,
    /** Not owned, and due. */
    DUE,
    /** Owned by the claim that the Work names. */
    LIVE,
    /** Owned, and the lease is over. */
    EXPIRED
  }

  /** What no further attempt may be made after. */
  public record Limits(
      boolean attemptsExhausted,
      boolean horizonElapsed,
      boolean circuitElapsed,
      boolean deadlinePassed) {

    /** Returns the code of the first that applies; null when another attempt is allowed. */
    public @Nullable String first() {
      if (deadlinePassed) {
        return "deadline_passed";
      } else if (attemptsExhausted) {
        return "attempts_exhausted";
      } else if (horizonElapsed) {
        return "elapsed_horizon";
      }
      return circuitElapsed ? "circuit_elapsed" : null;
    }
  }

  /** Returns whether the Work still names exactly this claim; says nothing about its lease. */
  public boolean isOwnedBy(Claim claim) {
    return attempt == claim.attempt()
        && leaseGeneration == claim.leaseGeneration()
        && claim.leaseOwner().equals(leaseOwner)
        && scopeGeneration == claim.scopeGeneration()
        && epoch.equals(claim.epoch());
  }

  /** Returns whether the current permit may still have, or have had, an effect. */
  public boolean permitIsOpen() {
    return permit != null && permit != PermitState.NO_EFFECT;
  }

  /** Returns whether an unknown outcome may simply be tried again. */
  public boolean isRetryable() {
    return safety == ProviderSafety.IDEMPOTENT || safety == ProviderSafety.PROVIDER_KEYED;
  }
}
