package dev.handofffence.internal.pump;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Claims for places that are about to come free, in the order of turns.
 *
 * <p>While places come back at once, one claim serves several rounds. What has found no place in a
 * moment is handed back, so that a host whose executors became slow holds nothing from the others.
 * For one thread.
 */
final class ClaimsAhead {

  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier nanos;
  private final List<RunningAttempt> waiting = new ArrayList<>();
  private long claimedAt;

  /**
   * Begins with nothing.
   *
   * @param nanos as {@link System#nanoTime()}
   */
  ClaimsAhead(LongSupplier nanos) {
    this.nanos = nanos;
    this.claimedAt = nanos.getAsLong();
  }

  int size() {
    return waiting.size();
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Keeps what was claimed just now. */
  void keep(List<RunningAttempt> claimed) {
    claimedAt = nanos.getAsLong();
    waiting.addAll(claimed);
  }

  /** Takes up to so many, the first ones first. */
  List<RunningAttempt> take(int most) {
    List<RunningAttempt> first = waiting.subList(0, Math.min(most, waiting.size()));
    List<RunningAttempt> taken = List.copyOf(first);
    first.clear();
    return taken;
  }

  /** Whether somebody has waited for longer than a moment. */
  boolean isOver() {
    return !waiting.isEmpty() && nanos.getAsLong() - claimedAt >= MOMENT_NANOS;
  }
}
