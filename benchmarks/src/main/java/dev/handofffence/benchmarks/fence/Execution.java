package dev.handofffence.benchmarks.fence;

/** What an executor does before its effect. */
public enum Execution {
  /** Nothing: the effect follows the permit. */
  PLAIN,
  /** An application transaction without the fence, to compare the next one with. */
  TRANSACTION,
  /** The same transaction, with its decision under the fence. */
  HANDOFF
}
