package dev.handofffence.runtime;

import dev.handofffence.handoff.TransactionOutcomes;
import dev.handofffence.work.WorkAcceptance;
import dev.handofffence.work.WorkCancellation;

/**
 * The library, configured for one store. Building it opens nothing, starts nothing and applies no
 * DDL. Thread-safe.
 *
 * @see "protocol section 5"
 */
public interface DurableRuntime {

  /**
   * Starts the configuration of a runtime.
   *
   * @return the builder
   */
  static DurableRuntimeBuilder builder() {
    return new DurableRuntimeBuilder();
  }

  /** {@return the way to accept Work} */
  WorkAcceptance work();

  /** {@return the way to cancel Work; operators have a {@link WorkOperator} of their own} */
  WorkCancellation cancellation();

  /**
   * {@return the pump: bounded passes, for tests and external activators}
   *
   * @throws dev.handofffence.DurableException DUR100 when no contract is registered; such a runtime
   *     accepts, cancels and asks about transactions only
   */
  Pump pump();

  /**
   * Starts a host with {@linkplain HostOptions#standard() standard options}.
   *
   * @return the host; the caller closes it
   */
  WorkerHost startHost();

  /**
   * Starts to run passes continuously, on threads of its own; opens connections on these and
   * returns at once. Its health says whether it gets on.
   *
   * @param options how it runs
   * @return the host; the caller closes it
   * @throws dev.handofffence.DurableException DUR405 when this runtime has a host that has not
   *     stopped; DUR100 when no contract is registered
   */
  WorkerHost startHost(HostOptions options);

  /** {@return the way to learn what became of a transaction} */
  TransactionOutcomes transactions();
}
