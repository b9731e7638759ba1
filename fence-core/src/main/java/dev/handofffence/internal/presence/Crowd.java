package dev.handofffence.internal.presence;

import dev.handofffence.internal.thread.Backoff;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether notifications are of no use just now. They come so fast that a worker which looks by
 * itself finds Work as soon, and acceptance, whose commits queue for each of them, is spared them;
 * or others were faster each time, and need no help. Thread-safe.
 */
final class Crowd {

  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MOST_IN_WINDOW = 10;

  private static final int MOST_IN_VAIN = 3;

  /** So that many hosts do not take turns in being crowded. */
  private static final Duration LONGEST_REST = Duration.ofMillis(500);

  private final LongSupplier nanos;
  private final Backoff rest =
      new Backoff(Duration.ofMillis(100), LONGEST_REST, new SplittableRandom());
  private long windowAt;
  private int inWindow;
  private int inVain;
  private long restsUntil;

  /**
   * Begins with nothing heard.
   *
   * @param nanos as {@link System#nanoTime()}
   */
  Crowd(LongSupplier nanos) {
    this.nanos = nanos;
    this.windowAt = nanos.getAsLong();
    this.restsUntil = windowAt;
  }

  synchronized void heard(int notifications) {
    long now = nanos.getAsLong();
    if (now - windowAt >= WINDOW_NANOS) {
      windowAt = now;
      inWindow = 0;
    }
    inWindow += notifications;
    restIf(inWindow > MOST_IN_WINDOW);
  }

  /** A look that followed a notification has found something, or not. */
  synchronized void answered(boolean wasInVain) {
    inVain = wasInVain ? inVain + 1 : 0;
    restIf(inVain > MOST_IN_VAIN);
  }

  private void restIf(boolean isOfNoUse) {
    long now = nanos.getAsLong();
    if (isOfNoUse && now - restsUntil >= 0) {
      restsUntil = now + nextRest(now);
      inVain = 0;
    }
  }

  private long nextRest(long now) {
    if (now - restsUntil > LONGEST_REST.toNanos()) {
      rest.reset();
    }
    return rest.next();
  }

  /** Returns for how long the worker should ask for no notifications; zero when it may. */
  synchronized long nanosOfRest() {
    return Math.max(0, restsUntil - nanos.getAsLong());
  }
}
