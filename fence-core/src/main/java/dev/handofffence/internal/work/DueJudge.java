package dev.handofffence.internal.work;

import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.ProviderSafety;
import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.state.WorkFacts;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Judges a Work that is due, or whose lease is over, and could not simply be claimed (protocol
 * sections 4 and 9). Time was compared under the Work's lock.
 */
final class DueJudge {

  static final String CANCELLATION_REQUESTED = "cancellation_requested";

  private static final Verdict LOST_RACE = new Verdict.Leave(Ending.NONE);

  private DueJudge() {}

  /** Judges a Work that discovery found. */
  static Verdict judge(WorkFacts facts, UUID epoch) {
    if (!isOpen(facts) || !isAnybodys(facts)) {
      return LOST_RACE;
    }
    return withoutOwner(facts, epoch, facts.limits().first());
  }

  /** Judges a Work whose live claim was refused a permit. */
  static Verdict judgeRefused(WorkFacts facts, Claim claim) {
    if (!facts.isOwnedBy(claim)
        || facts.state() != WorkState.CLAIMED
        || facts.lease() != WorkFacts.Lease.LIVE) {
      return LOST_RACE;
    }
    // The limits on attempts were met when this one was claimed; the deadline alone moves on.
    String limit = facts.limits().deadlinePassed() ? facts.limits().first() : null;
    return withoutOwner(facts, claim.epoch(), limit);
  }

  private static Verdict withoutOwner(WorkFacts facts, UUID epoch, @Nullable String limit) {
    if (!facts.epoch().equals(epoch)) {
      return suspend(facts, SuspendReason.EPOCH_CHANGED, "epoch_changed");
    } else if (!facts.scopeActive()) {
      return suspend(facts, SuspendReason.SCOPE_DISABLED, "scope_disabled");
    } else if (facts.state() == WorkState.PERMITTED && !facts.isRetryable()) {
      return suspend(facts, reasonOf(facts.safety()), "lease_expired");
    } else if (facts.cancelRequested()) {
      return endWithoutEffect(facts, new Verdict.Step.Cancel(CANCELLATION_REQUESTED));
    } else if (limit != null) {
      return endWithoutEffect(facts, new Verdict.Step.Fail(limit));
    }
    return LOST_RACE; // claimable by now: the next pass will
  }

  /** Who decides about an unknown outcome that is not simply tried again. */
  static SuspendReason reasonOf(ProviderSafety safety) {
    return switch (safety) {
      case IDEMPOTENT, PROVIDER_KEYED -> SuspendReason.AMBIGUOUS_OUTCOME;
      case RECONCILE_BEFORE_RETRY -> SuspendReason.RECONCILIATION_REQUIRED;
      case MANUAL_RESOLUTION -> SuspendReason.MANUAL_RESOLUTION;
    };
  }

  /** Failed and canceled would claim that nothing was sent: only where nothing can have been. */
  private static Verdict endWithoutEffect(WorkFacts facts, Verdict.Step end) {
    if (facts.otherOpenPermits() > 0 || facts.permitIsOpen()) {
      String code = end instanceof Verdict.Step.Fail fail ? fail.code() : CANCELLATION_REQUESTED;
      return suspend(facts, SuspendReason.AMBIGUOUS_OUTCOME, code);
    }
    return new Verdict.Move(null, end);
  }

  private static Verdict suspend(WorkFacts facts, SuspendReason reason, String code) {
    PermitState permit = facts.state() == WorkState.PERMITTED ? PermitState.UNRESOLVED : null;
    return new Verdict.Move(permit, new Verdict.Step.Suspend(reason, code));
  }

  private static boolean isOpen(WorkFacts facts) {
    return switch (facts.state()) {
      case READY, CLAIMED, PERMITTED -> true;
      case SUSPENDED, SUCCEEDED, FAILED, CANCELED -> false;
    };
  }

  private static boolean isAnybodys(WorkFacts facts) {
    return facts.lease() == WorkFacts.Lease.DUE || facts.lease() == WorkFacts.Lease.EXPIRED;
  }
}
