package dev.handofffence.work;

import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.handoff.TransactionOutcomes;

/** What a factory is given for one attempt. */
public interface WorkInvocation {

  /**
   * {@return the attempt's fence; it refuses with DUR120 outside the executor's {@code execute}}
   */
  HandoffFence handoffFence();

  /** {@return the way to make sure of a commit before the provider is called} */
  TransactionOutcomes transactions();
}
