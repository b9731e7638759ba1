package dev.handofffence.internal.work;

import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.EncodedResult;
import org.jspecify.annotations.Nullable;

/** What is to be done with one locked Work. */
sealed interface Verdict {

  /** Nothing; it ended, or was never this one's business. */
  record Leave(Ending ending) implements Verdict {}

  /** Keep a late report beside the Work. */
  record Quarantine(Claim claim, String code) implements Verdict {}

  /**
   * Settle the open permit of the current claim, if there is one, and make the transition.
   *
   * @param permit null when the claim has no open permit
   */
  record Move(@Nullable PermitState permit, Step step) implements Verdict {}

  /** A transition with what it needs. */
  sealed interface Step {
    record Succeed(EncodedResult result) implements Step {}

    record Retry(String code) implements Step {}

    record Fail(String code) implements Step {}

    record Cancel(String code) implements Step {}

    record Suspend(SuspendReason reason, String code) implements Step {}
  }
}
