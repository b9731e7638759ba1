package dev.handofffence.internal.pump;

import dev.handofffence.CancellationToken;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.ClaimedWork;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.EncodedResult;
import dev.handofffence.internal.claim.ExitKind;
import dev.handofffence.internal.handoff.Invocation;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkExecutor;
import dev.handofffence.work.WorkExit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One prepared attempt: its executor, with the fence unbound and the payload decoded. */
final class Attempt<P, R> {

  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

  private final ClaimedWork work;
  private final WorkDefinition<P, R> definition;
  private final WorkExecutor<P, R> executor;
  private final P payload;
  private final Invocation invocation;

  Attempt(
      ClaimedWork work,
      WorkDefinition<P, R> definition,
      WorkExecutor<P, R> executor,
      P payload,
      Invocation invocation) {
    this.work = work;
    this.definition = definition;
    this.executor = executor;
    this.payload = payload;
    this.invocation = invocation;
  }

  Claim claim() {
    return work.claim();
  }

  /**
   * Runs the executor with its fence alive, and turns whatever it does into a report. The permit
   * has committed, so an outcome that nobody knows is never taken for a failure.
   */
  Completion invoke(CancellationToken cancellation) {
    try {
      return report(invocation.run(() -> executor.execute(envelope(), cancellation)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ambiguous("executor_interrupted", e);
    } catch (Throwable e) { // also an Error: the effect may have happened
      return ambiguous("executor_exception", e);
    }
  }

  /** Reports that the executor was never called. */
  Completion notInvoked(String code) {
    return Completion.withoutResult(claim(), ExitKind.RETRY_BEFORE_EFFECT, code);
  }

  /** Reports that nobody knows what became of it. */
  Completion unknown() {
    return Completion.withoutResult(claim(), ExitKind.AMBIGUOUS, "executor_exception");
  }

  private WorkEnvelope<P> envelope() {
    Claim claim = claim();
    return new WorkEnvelope<>(
        claim.scope(), claim.workId(), work.activityId(), claim.attempt(), payload);
  }

  private Completion report(@Nullable WorkExit<R> exit) {
    if (exit instanceof WorkExit.Succeeded<R> succeeded) {
      return encode(succeeded.result());
    } else if (exit instanceof WorkExit.RetryBeforeEffect<R> retry) {
      return Completion.withoutResult(claim(), ExitKind.RETRY_BEFORE_EFFECT, retry.code());
    } else if (exit instanceof WorkExit.FailedWithoutEffect<R> failed) {
      return Completion.withoutResult(claim(), ExitKind.FAILED_WITHOUT_EFFECT, failed.code());
    } else if (exit instanceof WorkExit.Ambiguous<R> ambiguous) {
      return Completion.withoutResult(claim(), ExitKind.AMBIGUOUS, ambiguous.code());
    }
    return Completion.withoutResult(claim(), ExitKind.AMBIGUOUS, "no_exit");
  }

  private Completion encode(R result) {
    try {
      byte[] bytes = definition.resultCodec().encode(result);
      return Completion.succeeded(
          claim(), new EncodedResult(definition.resultCodec().format(), bytes));
    } catch (Exception e) {
      return ambiguous("result_unencodable", e);
    }
  }

  /** The log names the kind of the failure and its codes: its message may carry anything. */
  private Completion ambiguous(String code, Throwable failure) {
    LOG.warn(
        "Work {} attempt {} ended without a known outcome: {}, {}",
        claim().workId(),
        claim().attempt(),
        code,
        Failures.describe(failure));
    return Completion.withoutResult(claim(), ExitKind.AMBIGUOUS, code);
  }
}
