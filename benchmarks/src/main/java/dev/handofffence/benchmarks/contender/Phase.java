package dev.handofffence.benchmarks.contender;

/** A part of the throughput run. */
public enum Phase {
  /** Jobs accepted one by one, each with a commit of its own. */
  ACCEPT_ONE,
  /** Jobs accepted in batches. */
  ACCEPT_BATCH,
  /** Jobs that were accepted before are run to their durable end. */
  DRAIN,
  /** Jobs accepted by another process while every worker is idle. */
  PICK_UP
}
