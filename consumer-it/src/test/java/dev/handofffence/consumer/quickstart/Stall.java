package dev.handofffence.consumer.quickstart;

import dev.handofffence.consumer.Receipt;
import dev.handofffence.work.WorkEnvelope;

/** What the world does while an executor stands still, right before its effect. */
@FunctionalInterface
interface Stall {

  /** Nothing happens meanwhile. */
  Stall NONE = work -> {};

  void happen(WorkEnvelope<Receipt> work) throws Exception;
}
