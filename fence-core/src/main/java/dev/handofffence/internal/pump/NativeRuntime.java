package dev.handofffence.internal.pump;

import dev.handofffence.handoff.TransactionOutcomes;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.Pump;
import dev.handofffence.work.WorkAcceptance;

/** The runtime's parts, put together. */
public final class NativeRuntime implements DurableRuntime {

  private final RuntimeOptions options;

  public NativeRuntime(RuntimeOptions options) {
    this.options = options;
  }

  @Override
  public WorkAcceptance work() {
    throw new UnsupportedOperationException("not wired yet: " + options.store());
  }

  @Override
  public Pump pump() {
    throw new UnsupportedOperationException("not wired yet");
  }

  @Override
  public TransactionOutcomes transactions() {
    throw new UnsupportedOperationException("not wired yet");
  }
}
