package dev.handofffence.work;

import dev.handofffence.handoff.HandoffFence;

/** What a factory is given for one attempt. */
public interface WorkInvocation {

  /** Returns the attempt's fence; it refuses with DUR120 outside the executor's {@code execute}. */
  HandoffFence handoffFence();
}
