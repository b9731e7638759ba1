package dev.handofffence.internal.handoff;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.handoff.ConnectionHandoffCallback;
import dev.handofffence.handoff.HandoffCallback;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.handoff.HandoffResult;
import java.sql.Connection;
import org.jooq.Configuration;

/** stub */
final class InvocationFence implements HandoffFence {
  InvocationFence(Invocation invocation) {}

  @Override
  public <X extends Exception> OperationResult<HandoffResult> execute(
      Configuration transaction, HandoffCallback<X> callback, CancellationToken cancellation)
      throws X {
    throw new UnsupportedOperationException();
  }

  @Override
  public <X extends Exception> OperationResult<HandoffResult> execute(
      Connection transaction, ConnectionHandoffCallback<X> callback, CancellationToken cancellation)
      throws X {
    throw new UnsupportedOperationException();
  }
}
