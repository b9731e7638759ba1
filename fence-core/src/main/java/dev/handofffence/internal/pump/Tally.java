package dev.handofffence.internal.pump;

import dev.handofffence.Problem;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.runtime.PumpResult;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts what one pass does. Thread-safe. */
final class Tally {

  private final Map<Ending, Integer> endings = new EnumMap<>(Ending.class);
  private int discovered;
  private int claimed;
  private int invoked;
  private @Nullable Problem stoppedBy;

  synchronized void discovered(int rows) {
    discovered += rows;
  }

  synchronized void claimed(int attempts) {
    claimed += attempts;
  }

  synchronized void invoked() {
    invoked++;
  }

  synchronized void ended(Ending ending) {
    endings.merge(ending, 1, Integer::sum);
  }

  /** Keeps the first problem. */
  synchronized void stopped(Problem problem) {
    if (stoppedBy == null) {
      stoppedBy = problem;
    }
  }

  synchronized boolean isStopped() {
    return stoppedBy != null;
  }

  synchronized PumpResult result() {
    return new PumpResult(
        discovered,
        claimed,
        invoked,
        count(Ending.SUCCEEDED),
        count(Ending.RETRIED),
        count(Ending.SUSPENDED),
        count(Ending.FAILED) + count(Ending.CANCELED),
        count(Ending.QUARANTINED),
        Optional.ofNullable(stoppedBy));
  }

  private int count(Ending ending) {
    return endings.getOrDefault(ending, 0);
  }
}
