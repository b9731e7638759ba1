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

  /** Starts the configuration of a runtime. */
  static DurableRuntimeBuilder builder() {
    return new DurableRuntimeBuilder();
  }

  /** Returns the way to accept Work. */
  WorkAcceptance work();

  /** Returns the way to cancel Work; operators have a {@link WorkOperator} of their own. */
  WorkCancellation cancellation();

  /** Returns the pump: bounded passes, for tests and external activators. */
  Pump pump();

  /** Returns the way to learn what became of a transaction. */
  TransactionOutcomes transactions();
}
