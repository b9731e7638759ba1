package dev.handofffence.internal.handoff;

import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.sql.HandoffFacts;
import dev.handofffence.internal.store.StoreCheck;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Judges the facts in the order of protocol section 7: the first that applies wins. */
final class Refusals {

  private Refusals() {}

  static Optional<Problem> atEntry(HandoffFacts facts, Claim claim, StoreIdentity store) {
    return StoreCheck.problem(facts.store(), store)
        .or(() -> scope(facts.scope(), claim))
        .or(() -> invisible(facts, claim))
        .or(() -> work(facts.work(), claim))
        .or(() -> dispatch(facts.dispatch(), claim))
        .or(() -> permit(facts.permit(), claim))
        .or(() -> cancellation(facts.work()))
        .or(() -> time(facts.times()));
  }

  /** Lease before deadline, both exclusive. */
  static Optional<Problem> time(HandoffFacts.@Nullable Times times) {
    if (times == null || !times.leaseIsLive()) {
      return Optional.of(Problem.LEASE_EXPIRED);
    }
    return when(times.deadlineHasPassed(), Problem.DEADLINE_PASSED);
  }

  /**
   * Times are read only where all rows were seen, the dispatch row as the claim's. The first that
   * was seen then and was asked for, but was not there to be locked, is hidden by row-level
   * security from locking alone, which answers "absent".
   */
  private static Optional<Problem> invisible(HandoffFacts facts, Claim claim) {
    HandoffFacts.Work work = facts.work();
    boolean isHidden =
        work == null
            || (isOwned(work, claim) && (facts.dispatch() == null || facts.permit() == null));
    return when(facts.times() != null && isHidden, Problem.SCHEMA_INCONSISTENT);
  }

  private static Optional<Problem> scope(HandoffFacts.@Nullable Scope scope, Claim claim) {
    if (scope == null) {
      return Optional.of(Problem.SCOPE_ABSENT);
    }
    return when(scope.state() != ScopeState.ACTIVE, Problem.SCOPE_DISABLED)
        .or(
            () ->
                when(
                    scope.generation() != claim.scopeGeneration(),
                    Problem.SCOPE_GENERATION_CHANGED));
  }

  private static Optional<Problem> work(HandoffFacts.@Nullable Work work, Claim claim) {
    if (work == null) {
      return Optional.of(Problem.WORK_ABSENT);
    }
    return when(hasEnded(work.state()), Problem.WORK_TERMINAL)
        .or(() -> when(!isOwned(work, claim), Problem.CLAIM_LOST));
  }

  private static boolean hasEnded(WorkState state) {
    return state == WorkState.SUCCEEDED || state == WorkState.FAILED || state == WorkState.CANCELED;
  }

  private static boolean isOwned(HandoffFacts.Work work, Claim claim) {
    return work.state() == WorkState.PERMITTED
        && work.attempt() == claim.attempt()
        && work.leaseGeneration() == claim.leaseGeneration()
        && claim.leaseOwner().equals(work.leaseOwner())
        && work.scopeGeneration() == claim.scopeGeneration()
        && work.epoch().equals(claim.epoch());
  }

  private static Optional<Problem> dispatch(HandoffFacts.@Nullable Dispatch dispatch, Claim claim) {
    boolean isOwned =
        dispatch != null
            && dispatch.leaseGeneration() == claim.leaseGeneration()
            && claim.leaseOwner().equals(dispatch.leaseOwner());
    return when(!isOwned, Problem.CLAIM_LOST);
  }

  private static Optional<Problem> permit(HandoffFacts.@Nullable Permit permit, Claim claim) {
    boolean isAdmitted =
        permit != null
            && permit.state() == PermitState.ADMITTED
            && permit.attempt() == claim.attempt()
            && permit.leaseOwner().equals(claim.leaseOwner())
            && permit.scopeGeneration() == claim.scopeGeneration()
            && permit.epoch().equals(claim.epoch());
    return when(!isAdmitted, Problem.PERMIT_INVALID);
  }

  private static Optional<Problem> cancellation(HandoffFacts.@Nullable Work work) {
    return when(work != null && work.cancelRequested(), Problem.CANCELLATION_REQUESTED);
  }

  private static Optional<Problem> when(boolean applies, Problem problem) {
    return applies ? Optional.of(problem) : Optional.empty();
  }
}
