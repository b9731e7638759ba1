package dev.handofffence.internal.handoff;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.TransactionId;
import dev.handofffence.handoff.HandoffResult;
import dev.handofffence.internal.sql.HandoffFacts;
import java.sql.SQLException;
import java.util.Optional;
import org.jooq.exception.DataAccessException;

/**
 * One call of the fence, which reads as protocol section 6 does: entry, callback, final checks,
 * settlement.
 *
 * @param <X> checked exception of the callback
 */
final class HandoffCall<X extends Exception> {

  /** The application's step, with its arguments bound. */
  @FunctionalInterface
  interface Callback<X extends Exception> {
    boolean run() throws X;
  }

  private final HandoffContext call;
  private final Callback<X> callback;

  HandoffCall(HandoffContext call, Callback<X> callback) {
    this.call = call;
    this.callback = callback;
  }

  OperationResult<HandoffResult> run() throws X {
    CancellationToken.Registration registration = call.token().onCancel(call.guard()::cancel);
    try {
      return decide();
    } finally {
      registration.close();
    }
  }

  private OperationResult<HandoffResult> decide() throws X {
    OperationResult<HandoffFacts> entry = new HandoffEntry(call).enter();
    if (entry instanceof OperationResult.Failure<HandoffFacts> refusal) {
      return OperationResult.failure(refusal.problem());
    }
    HandoffFacts facts = entry.orElseThrow();
    call.warn(facts);
    boolean prepared = callBack(facts);
    Optional<Problem> lateRefusal = new FinalCheck(call, facts).check();
    if (prepared && lateRefusal.isEmpty()) {
      call.settlement().keep();
    } else {
      call.settlement().undo(facts);
    }
    return lateRefusal
        .map(OperationResult::<HandoffResult>failure)
        .orElseGet(() -> OperationResult.success(result(prepared, facts)));
  }

  private boolean callBack(HandoffFacts facts) throws X {
    enterCallback();
    try {
      return callback.run();
    } catch (Throwable thrown) {
      call.guard().exit();
      settleThrown(thrown, facts);
      throw thrown;
    } finally {
      call.guard().exit();
    }
  }

  /** The token reaches statements of the callback as well: all of them belong to the call. */
  private void enterCallback() {
    boolean entered;
    try {
      entered = call.guard().enter(call.transaction().driverConnection());
    } catch (SQLException e) {
      DataAccessException failure = FenceErrors.statementFailed(e);
      Settlement.after(failure, call.settlement()::withdraw);
      throw failure;
    }
    if (!entered) {
      throw call.settlement().withdrawCancelled(null);
    }
  }

  private void settleThrown(Throwable thrown, HandoffFacts facts) {
    if (call.token().isCancelled()) {
      throw call.settlement().withdrawCancelled(thrown, facts);
    }
    Settlement.after(thrown, () -> call.settlement().undo(facts));
  }

  private HandoffResult result(boolean prepared, HandoffFacts facts) {
    return new HandoffResult(
        prepared, new TransactionId(call.invocation().store(), facts.transactionId()));
  }
}
