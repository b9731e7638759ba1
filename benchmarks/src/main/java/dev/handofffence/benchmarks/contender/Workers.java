package dev.handofffence.benchmarks.contender;

/** Runs jobs, once started, until closed. */
public interface Workers extends AutoCloseable {

  void start() throws Exception;

  /** Stops; jobs that run may end. No connection is left open. */
  @Override
  void close();
}
