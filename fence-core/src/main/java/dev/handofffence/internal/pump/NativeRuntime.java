package dev.handofffence.internal.pump;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.handoff.TransactionOutcomes;
import dev.handofffence.internal.handoff.StoreTransactionOutcomes;
import dev.handofffence.internal.operator.Cancellation;
import dev.handofffence.internal.thread.Threads;
import dev.handofffence.internal.work.Acceptance;
import dev.handofffence.internal.work.Claims;
import dev.handofffence.internal.work.Permits;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.HostOptions;
import dev.handofffence.runtime.Pump;
import dev.handofffence.runtime.WorkerHost;
import dev.handofffence.work.WorkAcceptance;
import dev.handofffence.work.WorkCancellation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The runtime's parts, put together. */
public final class NativeRuntime implements DurableRuntime {

  private final WorkAcceptance acceptance;
  private final WorkCancellation cancellation;
  private final TransactionOutcomes transactions;
  private final PumpParts parts;
  private final Pump pump;
  private @Nullable NativeHost host;

  /** Puts the parts together; opens and starts nothing. */
  public NativeRuntime(RuntimeOptions options) {
    this.acceptance =
        new Acceptance(
            options.store(),
            options.runtimeDataSource(),
            options.acceptance(),
            options.wakesHosts());
    this.cancellation = new Cancellation(options.store(), options.runtimeDataSource());
    this.transactions = new StoreTransactionOutcomes(options.runtimeDataSource(), options.store());
    this.parts = parts(options, transactions);
    this.pump = new NativePump(parts);
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
    requireContracts();
    return pump;
  }

  @Override
  public TransactionOutcomes transactions() {
    return transactions;
  }

  @Override
  public WorkerHost startHost() {
    return startHost(HostOptions.standard());
  }

  @Override
  public synchronized WorkerHost startHost(HostOptions options) {
    Objects.requireNonNull(options, "options");
    requireContracts();
    if (host != null && !host.hasStopped()) {
      throw new DurableException(
          Problem.WORKER_IDENTITY_CONFLICT, "the host of this runtime has not stopped");
    }
    host = NativeHost.start(parts, options);
    return host;
  }

  /** Without contracts a runtime accepts, cancels and asks; it has nothing to look for. */
  private void requireContracts() {
    if (parts.options().contracts().names().isEmpty()) {
      throw new DurableException(
          Problem.INVALID_REQUEST,
          "no contract is registered, so there is no Work to look for; call register before build");
    }
  }

  private static PumpParts parts(RuntimeOptions options, TransactionOutcomes transactions) {
    return new PumpParts(
        options,
        new Claims(options.store(), options.workerId()),
        new Permits(options.store()),
        new Preparation(options.store(), options.contracts(), options.fences(), transactions),
        new Slots(options.concurrency()),
        new Turns(options.contracts().names().size()),
        new Inquiries(options.concurrency()),
        new Underway(),
        options.executor().orElseGet(Threads::forExecutors),
        Threads.pool("signal"));
  }
}
