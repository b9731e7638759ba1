package dev.handofffence.benchmarks.contender;

/** What a contender stands for in a comparison. */
public enum Role {
  /** Plain JDBC that does the least which is safe enough to be compared. */
  FLOOR,
  /** Another library. */
  PEER,
  /** This library. */
  OURS
}
