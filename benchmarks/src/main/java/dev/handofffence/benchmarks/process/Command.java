package dev.handofffence.benchmarks.process;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handofffence.benchmarks.server.Database;

/** What a contender's process is told, one line of JSON each; it answers every one. */
@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
sealed interface Command {

  /** Asks for the clock, to see that it is that of this machine and not of this process. */
  record ReadClock() implements Command {}

  /** Accepts so many jobs as fast as it can. */
  record Fill(Database database, int jobs, int threads, int batch) implements Command {}

  /** Accepts for some time. */
  record Accept(Database database, long nanos, int threads, int batch) implements Command {}

  /** Opens the workers of a drain or a pick-up. */
  record Open(Database database, int workers) implements Command {}

  /**
   * Starts the workers, waits for the durable end of so many jobs and closes them.
   *
   * @param all whether the jobs are all there are
   */
  record Drain(int jobs, boolean all, long patienceNanos) implements Command {}

  /** Starts the workers, which find nothing to do. */
  record StartIdle() implements Command {}

  /** Accepts jobs with pauses, from another process than the workers'. */
  record Produce(Database database, int jobs, long leastPauseNanos, long mostPauseNanos)
      implements Command {}

  /** Waits until so many jobs have run, closes the workers and reports the latencies. */
  record Collect(int jobs, long patienceNanos) implements Command {}
}
