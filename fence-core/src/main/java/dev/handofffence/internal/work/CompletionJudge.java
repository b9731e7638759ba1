package dev.handofffence.internal.work;

import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.ExitKind;
import dev.handofffence.internal.state.WorkFacts;
import java.util.Objects;

/** Judges the report of a claim's holder (protocol section 9). */
final class CompletionJudge {

  private CompletionJudge() {}

  /**
   * Judges a report.
   *
   * <p>One whose answer was lost, and whose permit is settled as it says, was recorded. That cannot
   * be told for certain, since the runtime role may not read the history: somebody else can have
   * settled the permit just so. But disabling the scope apart, which is seen here, this takes a
   * lease that is over, and reports are sent again only while theirs is not; so the worker must
   * have stalled right between the two. Then its code is missing from the history, and the Work is
   * what the report asked for.
   *
   * @param inDoubt whether it was sent before and no answer came
   */
  static Verdict judge(WorkFacts facts, Completion completion, boolean inDoubt) {
    if (isCurrent(facts, completion.claim())) {
      return current(facts, completion);
    } else if (inDoubt && isRecorded(facts, completion)) {
      return new Verdict.Leave(endingOf(facts.state()));
    }
    return new Verdict.Quarantine(
        completion.claim(), Objects.requireNonNullElse(completion.code(), "succeeded"));
  }

  /** Judges that no executor could be made for a claim, before its permit. */
  static Verdict judgeUnavailable(WorkFacts facts, Claim claim, String code) {
    if (facts.isOwnedBy(claim)
        && facts.state() == WorkState.CLAIMED
        && facts.lease() == WorkFacts.Lease.LIVE) {
      return new Verdict.Move(
          null, new Verdict.Step.Suspend(SuspendReason.CONTRACT_UNAVAILABLE, code));
    }
    return new Verdict.Leave(Ending.NONE);
  }

  private static Verdict current(WorkFacts facts, Completion completion) {
    String code = Objects.requireNonNullElse(completion.code(), "succeeded");
    return switch (completion.kind()) {
      case SUCCEEDED ->
          new Verdict.Move(
              PermitState.APPLIED,
              new Verdict.Step.Succeed(Objects.requireNonNull(completion.result())));
      case RETRY_BEFORE_EFFECT -> new Verdict.Move(PermitState.NO_EFFECT, again(facts, code));
      case FAILED_WITHOUT_EFFECT ->
          new Verdict.Move(
              PermitState.NO_EFFECT, withoutEffect(facts, new Verdict.Step.Fail(code)));
      case AMBIGUOUS -> new Verdict.Move(PermitState.UNRESOLVED, unknown(facts, code));
    };
  }

  private static Verdict.Step again(WorkFacts facts, String code) {
    if (facts.cancelRequested()) {
      return withoutEffect(facts, new Verdict.Step.Cancel(code));
    } else if (facts.retryDue()) {
      return new Verdict.Step.Retry(code);
    }
    return withoutEffect(facts, new Verdict.Step.Fail(code));
  }

  /** The report says that this attempt had no effect; the earlier ones must not have had any. */
  private static Verdict.Step withoutEffect(WorkFacts facts, Verdict.Step end) {
    if (facts.otherOpenPermits() == 0) {
      return end;
    }
    String code =
        end instanceof Verdict.Step.Fail fail ? fail.code() : DueJudge.CANCELLATION_REQUESTED;
    return new Verdict.Step.Suspend(SuspendReason.AMBIGUOUS_OUTCOME, code);
  }

  private static Verdict.Step unknown(WorkFacts facts, String code) {
    if (facts.isRetryable() && facts.retryDue() && !facts.cancelRequested()) {
      return new Verdict.Step.Retry(code);
    }
    return new Verdict.Step.Suspend(DueJudge.reasonOf(facts.safety()), code);
  }

  private static boolean isCurrent(WorkFacts facts, Claim claim) {
    return facts.isOwnedBy(claim)
        && facts.state() == WorkState.PERMITTED
        && facts.permit() == PermitState.ADMITTED
        && facts.lease() == WorkFacts.Lease.LIVE
        && facts.scopeActive();
  }

  /** The same report was committed before, and its answer was lost. */
  private static boolean isRecorded(WorkFacts facts, Completion completion) {
    return facts.scopeActive()
        && facts.epoch().equals(completion.claim().epoch())
        && facts.leaseGeneration() == completion.claim().leaseGeneration()
        && facts.attempt() == completion.claim().attempt()
        && facts.permit() == settled(completion.kind());
  }

  private static PermitState settled(ExitKind kind) {
    return switch (kind) {
      case SUCCEEDED -> PermitState.APPLIED;
      case RETRY_BEFORE_EFFECT, FAILED_WITHOUT_EFFECT -> PermitState.NO_EFFECT;
      case AMBIGUOUS -> PermitState.UNRESOLVED;
    };
  }

  private static Ending endingOf(WorkState state) {
    return switch (state) {
      case SUCCEEDED -> Ending.SUCCEEDED;
      case READY -> Ending.RETRIED;
      case SUSPENDED -> Ending.SUSPENDED;
      case FAILED -> Ending.FAILED;
      case CANCELED -> Ending.CANCELED;
      case CLAIMED, PERMITTED -> Ending.NONE;
    };
  }
}
