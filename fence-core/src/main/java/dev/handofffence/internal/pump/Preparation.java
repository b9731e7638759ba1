package dev.handofffence.internal.pump;

import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.handoff.TransactionOutcomes;
import dev.handofffence.internal.claim.ClaimedWork;
import dev.handofffence.internal.handoff.FenceSettings;
import dev.handofffence.internal.handoff.Invocation;
import dev.handofffence.internal.handoff.InvocationBinder;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutor;
import dev.handofffence.work.WorkInvocation;
import java.lang.invoke.MethodHandles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the executor of a claimed Work, before its permit and without a transaction: whatever fails
 * here has had no effect.
 */
final class Preparation {

  private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

  private final Contracts contracts;
  private final InvocationBinder binder;
  private final TransactionOutcomes transactions;

  Preparation(
      StoreIdentity store,
      Contracts contracts,
      FenceSettings fences,
      TransactionOutcomes transactions) {
    this.contracts = contracts;
    this.binder = InvocationBinder.open(MethodHandles.lookup(), store, fences);
    this.transactions = transactions;
  }

  /** The attempt, or the code of what made it impossible. */
  sealed interface Prepared {
    record Ready(Attempt<?, ?> attempt) implements Prepared {}

    record Unavailable(String code) implements Prepared {}

    /** The thread was told to stop: that says nothing about the contract. */
    record Interrupted() implements Prepared {}
  }

  Prepared prepare(ClaimedWork work) {
    Contract<?, ?> contract = contracts.find(work.contractName(), work.contractVersion());
    return contract == null
        ? new Prepared.Unavailable("contract_unregistered")
        : prepare(work, contract);
  }

  private <P, R> Prepared prepare(ClaimedWork work, Contract<P, R> contract) {
    WorkDefinition<P, R> definition = contract.definition();
    if (!work.payload().isIntact()) {
      return new Prepared.Unavailable("payload_hash_mismatch");
    } else if (!work.payload().format().equals(definition.payloadCodec().format())) {
      return new Prepared.Unavailable("payload_format_unknown");
    }
    try {
      P payload = definition.payloadCodec().decode(work.payload().bytes());
      return create(work, contract, payload);
    } catch (Throwable e) { // also an Error, of a class that is missing for instance
      return unavailable(work, "payload_undecodable", e);
    }
  }

  private <P, R> Prepared create(ClaimedWork work, Contract<P, R> contract, P payload) {
    Invocation invocation = binder.prepare(work.claim());
    try {
      WorkExecutor<P, R> executor =
          contract.executors().create(new Given(invocation.fence(), transactions));
      return new Prepared.Ready(
          new Attempt<>(work, contract.definition(), executor, payload, invocation));
    } catch (Throwable e) {
      return unavailable(work, "executor_unavailable", e);
    }
  }

  private static Prepared unavailable(ClaimedWork work, String code, Throwable failure) {
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return new Prepared.Interrupted();
    }
    LOG.warn(
        "Work {} of contract {}/{} cannot be prepared: {} {}, {}",
        work.claim().workId(),
        work.contractName(),
        work.contractVersion(),
        Problem.CONTRACT_UNAVAILABLE.code(),
        code,
        Failures.describe(failure));
    return new Prepared.Unavailable(code);
  }

  private record Given(HandoffFence handoffFence, TransactionOutcomes transactions)
      implements WorkInvocation {}
}
