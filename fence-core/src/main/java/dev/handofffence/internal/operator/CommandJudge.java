package dev.handofffence.internal.operator;

import dev.handofffence.Problem;
import dev.handofffence.generated.type.ProviderSafety;
import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.claim.EncodedResult;
import dev.handofffence.internal.operator.CommandVerdict.Perform;
import dev.handofffence.internal.operator.CommandVerdict.Refuse;
import dev.handofffence.internal.state.CommandFacts;
import dev.handofffence.internal.state.CommandKind;
import dev.handofffence.internal.state.WorkFacts;
import dev.handofffence.work.CommandOutcome.Change;
import dev.handofffence.work.Evidence;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Judges a command by the facts of its locked Work (protocol sections 4 and 9). That the Work has
 * ended or has another revision was judged before.
 */
final class CommandJudge {

  private static final Set<SuspendReason> HELD_UP =
      Set.of(SuspendReason.CONTRACT_UNAVAILABLE, SuspendReason.EPOCH_CHANGED);

  private CommandJudge() {}

  static CommandVerdict cancel(CommandFacts facts) {
    WorkState state = facts.work().state();
    if (!facts.effectIsPossible() && state != WorkState.PERMITTED) {
      return new Perform(
          Change.CANCELED, (work, connection, outcome, epoch) -> work.cancel(connection, outcome));
    } else if (state == WorkState.PERMITTED || state == WorkState.SUSPENDED) {
      return new Perform(
          Change.CANCELLATION_REQUESTED,
          (work, connection, outcome, epoch) -> work.requestCancellation(connection, outcome));
    }
    return new Perform(
        Change.CANCELLATION_REQUESTED,
        (work, connection, outcome, epoch) ->
            work.suspendCanceled(connection, outcome, SuspendReason.AMBIGUOUS_OUTCOME));
  }

  /** Judges evidence about effects whose outcome is not known. */
  static CommandVerdict prove(CommandFacts facts, CommandKind kind, Evidence evidence) {
    if (facts.work().state() != WorkState.SUSPENDED) {
      return new Refuse(Problem.TRANSITION_REJECTED);
    } else if (!facts.effectIsPossible() || !mayProve(facts, kind) || !fits(facts, evidence)) {
      return new Refuse(Problem.PROOF_REQUIRED);
    }
    return evidence.isApplied() ? applied(evidence) : notApplied(facts);
  }

  static CommandVerdict retry(CommandFacts facts) {
    WorkFacts work = facts.work();
    if (work.state() != WorkState.SUSPENDED) {
      return new Refuse(Problem.TRANSITION_REJECTED);
    } else if (!work.scopeActive()) {
      return new Refuse(Problem.SCOPE_DISABLED);
    } else if (work.limits().deadlinePassed()) {
      return new Refuse(Problem.DEADLINE_PASSED);
    } else if (isHeldUp(facts)
        || work.limits().horizonElapsed()
        || work.limits().circuitElapsed()) {
      return new Refuse(Problem.TRANSITION_REJECTED);
    } else if (work.cancelRequested()) {
      return new Refuse(Problem.CANCELLATION_REQUESTED);
    } else if (facts.effectIsPossible() && !work.isRetryable()) {
      return new Refuse(Problem.PROOF_REQUIRED);
    }
    return new Perform(
        Change.RETRIED,
        (transition, connection, outcome, epoch) -> transition.retry(connection, outcome, epoch));
  }

  /** Judges a release; a contract is believed to be there, and the epoch is the active one. */
  static CommandVerdict release(CommandFacts facts, UUID active) {
    WorkFacts work = facts.work();
    if (work.state() != WorkState.SUSPENDED) {
      return new Refuse(Problem.TRANSITION_REJECTED);
    } else if (!work.scopeActive()) {
      return new Refuse(Problem.SCOPE_DISABLED);
    } else if (!isHeldUp(facts)) {
      return work.epoch().equals(active)
          ? new Refuse(Problem.TRANSITION_REJECTED)
          : releaseToDecision(Objects.requireNonNull(facts.suspendReason(), "suspended"));
    } else if (facts.effectIsPossible() && !work.isRetryable()) {
      return releaseToDecision(whoDecides(work.safety()));
    }
    return new Perform(
        Change.RELEASED,
        (transition, connection, outcome, epoch) -> transition.release(connection, outcome, epoch));
  }

  private static CommandVerdict releaseToDecision(SuspendReason decision) {
    return new Perform(
        Change.STILL_SUSPENDED,
        (work, connection, outcome, epoch) ->
            work.releaseToDecision(connection, outcome, epoch, decision));
  }

  private static CommandVerdict applied(Evidence evidence) {
    EncodedResult result =
        evidence
            .result()
            .map(bytes -> new EncodedResult(evidence.resultFormat().orElseThrow(), bytes))
            .orElse(null);
    return new Perform(
        Change.SUCCEEDED,
        (work, connection, outcome, epoch) -> {
          if (result == null) {
            work.succeed(connection, outcome);
          } else {
            work.succeed(connection, outcome, result);
          }
        });
  }

  private static CommandVerdict notApplied(CommandFacts facts) {
    WorkFacts work = facts.work();
    if (work.cancelRequested()) {
      return new Perform(
          Change.CANCELED,
          (transition, connection, outcome, epoch) -> transition.cancelProven(connection, outcome));
    } else if (!work.scopeActive()) {
      return keep(SuspendReason.SCOPE_DISABLED);
    } else if (work.safety() == ProviderSafety.MANUAL_RESOLUTION) {
      return keep(SuspendReason.MANUAL_RESOLUTION);
    } else if (work.limits().first() != null) {
      return new Perform(
          Change.FAILED,
          (transition, connection, outcome, epoch) -> transition.failProven(connection, outcome));
    }
    return new Perform(
        Change.RETRIED,
        (transition, connection, outcome, epoch) ->
            transition.retryProven(connection, outcome, epoch));
  }

  private static CommandVerdict keep(SuspendReason reason) {
    return new Perform(
        Change.STILL_SUSPENDED,
        (work, connection, outcome, epoch) -> work.keepProven(connection, outcome, reason));
  }

  /** Where only a person can tell, no answer of a provider counts. */
  private static boolean mayProve(CommandFacts facts, CommandKind kind) {
    return kind == CommandKind.RESOLVE || facts.work().safety() != ProviderSafety.MANUAL_RESOLUTION;
  }

  private static boolean fits(CommandFacts facts, Evidence evidence) {
    boolean lacksResult =
        evidence.isApplied()
            && evidence.result().isEmpty()
            && facts.work().safety() == ProviderSafety.MANUAL_RESOLUTION;
    return !lacksResult
        && evidence.contract().map(contract -> contract.equals(facts.contract())).orElse(true);
  }

  private static boolean isHeldUp(CommandFacts facts) {
    return facts.suspendReason() != null && HELD_UP.contains(facts.suspendReason());
  }

  private static SuspendReason whoDecides(ProviderSafety safety) {
    return safety == ProviderSafety.MANUAL_RESOLUTION
        ? SuspendReason.MANUAL_RESOLUTION
        : SuspendReason.RECONCILIATION_REQUIRED;
  }
}
