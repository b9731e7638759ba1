package dev.handofffence.internal.pump;

import dev.handofffence.handoff.TransactionOutcomes;
import dev.handofffence.internal.handoff.StoreTransactionOutcomes;
import dev.handofffence.internal.operator.Cancellation;
import dev.handofffence.internal.thread.Threads;
import dev.handofffence.internal.work.Acceptance;
import dev.handofffence.internal.work.Claims;
import dev.handofffence.internal.work.Permits;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.Pump;
import dev.handofffence.work.WorkAcceptance;
import dev.handofffence.work.WorkCancellation;

/** The runtime's parts, put together. */
public final class NativeRuntime implements DurableRuntime {

  private final WorkAcceptance acceptance;
  private final WorkCancellation cancellation;
  private final TransactionOutcomes transactions;
  private final Pump pump;

  /** Puts the parts together; opens and starts nothing. */
  public NativeRuntime(RuntimeOptions options) {
    this.acceptance =
        new Acceptance(options.store(), options.runtimeDataSource(), options.acceptance());
    this.cancellation = new Cancellation(options.store(), options.runtimeDataSource());
    this.transactions = new StoreTransactionOutcomes(options.runtimeDataSource(), options.store());
    this.pump = new NativePump(parts(options, transactions));
  }

  @Override
  public WorkAcceptance work() {
    return acceptance;
  }

  @Override
  public WorkCancellation cancellation() {
    return cancellation;
  }

  @Override
  public Pump pump() {
    return pump;
  }

  @Override
  public TransactionOutcomes transactions() {
    return transactions;
  }

  private static PumpParts parts(RuntimeOptions options, TransactionOutcomes transactions) {
    return new PumpParts(
        options,
        new Claims(options.store(), options.workerId()),
        new Permits(options.store()),
        new Preparation(options.store(), options.contracts(), options.fences(), transactions),
        new Slots(options.concurrency()),
        options.executor().orElseGet(Threads::forExecutors),
        Threads.pool("signal"));
  }
}
