package dev.handofffence.crash;

/** Where a worker stops, to be killed or paused there. */
enum Stop {
  /** In the factory: the attempt owns the Work, and nothing was permitted. */
  CLAIMED,
  /** In the executor, before the fence: permitted and admitted, which is one commit. */
  PERMITTED,
  /** Between the fence's decision and the commit of its transaction. */
  DECIDED,
  /** Behind the commit of the handoff, before the provider is called. */
  HANDED_OFF,
  /** Behind the provider's answer, before the attempt is reported. */
  SENT,
  /** Behind the end of the pass. */
  COMPLETED
}
