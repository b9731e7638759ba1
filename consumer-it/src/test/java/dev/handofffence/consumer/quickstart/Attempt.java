package dev.handofffence.consumer.quickstart;

import dev.handofffence.OperationResult;
import dev.handofffence.handoff.HandoffResult;
import java.util.List;

/**
 * What the fence said to one attempt.
 *
 * @param worker who asked
 * @param decision the fence's answer
 * @param locks what the transaction held right before it ended
 */
record Attempt(String worker, OperationResult<HandoffResult> decision, List<HeldLock> locks) {

  boolean isPrepared() {
    return decision instanceof OperationResult.Success<HandoffResult> success
        && success.value().handoffPrepared();
  }

  /** Returns the answer in one word. */
  String verdict() {
    if (!decision.isSuccess()) {
      return "refused";
    }
    return isPrepared() ? "prepared" : "denied";
  }

  /** Returns the answer in words. */
  String answer() {
    if (decision instanceof OperationResult.Failure<HandoffResult> refused) {
      return "refused: " + refused.problem().code() + " " + refused.problem().problem();
    }
    return isPrepared() ? "prepared" : "denied by the application's own callback";
  }
}
