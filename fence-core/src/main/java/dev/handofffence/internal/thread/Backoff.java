package dev.handofffence.internal.thread;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses that double up to a maximum, each varied by up to a quarter so that many processes do not
 * act in step. Not thread-safe.
 */
public final class Backoff {

  private static final double VARIATION = 0.25;

  private final long first;
  private final long most;
  private final RandomGenerator random;
  private long next;

  public Backoff(Duration first, Duration most, RandomGenerator random) {
    this.first = first.toNanos();
    this.most = most.toNanos();
    this.random = random;
    this.next = this.first;
  }

  /** Returns the next pause in nanoseconds. */
  public long next() {
    long pause = next;
    next = Math.min(most, 2 * pause); // an hour at most: no overflow
    return (long) (pause * random.nextDouble(1 - VARIATION, 1 + VARIATION));
  }

  /** Begins with the first pause again. */
  public void reset() {
    next = first;
  }

  /** Whether the next pause is at least so long, or the longest there is. */
  public boolean isAtLeast(Duration pause) {
    return next >= Math.min(most, pause.toNanos());
  }
}
