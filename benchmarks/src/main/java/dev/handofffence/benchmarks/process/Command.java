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
   * Starts the workers, waits until so many jobs have run and closes them.
   *
   * @param all whether the jobs are all there are, so that their durable end can be waited for
   * @param nanos how long to wait from the first body on; if they are all there are, this is only
   *     patience
   */
  record Drain(int jobs, boolean all, long nanos) implements Command {}

  /** Starts the workers, which find nothing to do. */
  record StartIdle() implements Command {}

  /** Accepts jobs with pauses, from another process than the workers'. */
  record Produce(Database database, int jobs, long leastPauseNanos, long mostPauseNanos)
      implements Command {}

  /** Waits until so many jobs have run, closes the workers and reports the latencies. */
  record Collect(int jobs, long patienceNanos) implements Command {}
}
