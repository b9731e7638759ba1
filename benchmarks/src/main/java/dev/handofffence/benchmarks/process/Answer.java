package dev.handofffence.benchmarks.process;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** What a contender's process answers. */
@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
public sealed interface Answer {

  /** It is done. */
  record Done() implements Answer {}

  /** The reading of the process's monotonic clock. */
  record Clock(long nanos) implements Answer {}

  /**
   * Jobs were accepted.
   *
   * @param jobs how many
   * @param nanos how long it took
   * @param cpuNanos CPU time of the process meanwhile
   */
  record Accepted(long jobs, long nanos, long cpuNanos) implements Answer {

    public double jobsPerSecond() {
      return jobs * 1e9 / nanos;
    }
  }

  /**
   * Jobs were run.
   *
   * @param jobs how many bodies ran
   * @param nanos from the first body to the durable end of the last job
   * @param cpuNanos CPU time of the process from start to close of its workers
   * @param polls queries that only asked whether it was over, each a commit and a round trip
   */
  record Drained(long jobs, long nanos, long cpuNanos, long polls) implements Answer {

    public double jobsPerSecond() {
      return jobs * 1e9 / nanos;
    }
  }

  /**
   * Jobs were picked up.
   *
   * @param nanos for each, the time from the call that accepted it to the start of its body
   */
  record PickedUp(List<Long> nanos) implements Answer {}

  /** It went wrong. */
  record Failed(String reason) implements Answer {}
}
