package dev.handofffence.benchmarks.contender;

/** What every job does: it notes that it ran. */
@FunctionalInterface
public interface JobBody {

  void run(String payload);
}
