package dev.handofffence.benchmarks.run;

import java.util.Locale;

/** Says what a run is doing, on standard error. */
final class Progress {

  private final long start = System.nanoTime();

  void say(String what) {
    long seconds = (System.nanoTime() - start) / 1_000_000_000;
    System.err.printf(Locale.ROOT, "[%4d s] %s%n", seconds, what);
  }
}
