package dev.handofffence.consumer;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.handoff.ConnectionHandoffCallback;
import dev.handofffence.handoff.HandoffCallback;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.handoff.HandoffResult;
import dev.handofffence.handoff.TransactionOutcomes;
import dev.handofffence.work.WorkInvocation;
import java.sql.Connection;
import java.util.function.Consumer;
import org.jooq.Configuration;

/** Passes every call on to the invocation's fence and tells what it decided. */
public record RecordedFence(
    WorkInvocation invocation, Consumer<OperationResult<HandoffResult>> decisions)
    implements HandoffFence, WorkInvocation {

  @Override
  public HandoffFence handoffFence() {
    return this;
  }

  @Override
  public TransactionOutcomes transactions() {
    return invocation.transactions();
  }

  @Override
  public <X extends Exception> OperationResult<HandoffResult> execute(
      Configuration transaction, HandoffCallback<X> callback, CancellationToken cancellation)
      throws X {
    return told(invocation.handoffFence().execute(transaction, callback, cancellation));
  }

  @Override
  public <X extends Exception> OperationResult<HandoffResult> execute(
      Connection transaction, ConnectionHandoffCallback<X> callback, CancellationToken cancellation)
      throws X {
    return told(invocation.handoffFence().execute(transaction, callback, cancellation));
  }

  private OperationResult<HandoffResult> told(OperationResult<HandoffResult> decision) {
    decisions.accept(decision);
    return decision;
  }
}
