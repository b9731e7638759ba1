package dev.handofffence.internal.pump;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.internal.thread.Threads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** How far a host is in its life: claiming, draining, giving up, ended. Thread-safe. */
final class HostLife {

  /** A year: nobody has asked to give up. */
  private static final long NEVER_NANOS = Duration.ofDays(365).toNanos();

  private final CancellationSource attempts = new CancellationSource();
  private final CountDownLatch ended;
  private volatile boolean draining;
  private volatile long giveUpAt = System.nanoTime() + NEVER_NANOS;
  private volatile boolean gaveUp;

  /**
   * Begins.
   *
   * @param loops how many must say that they have ended
   */
  HostLife(int loops) {
    this.ended = new CountDownLatch(loops);
  }

  /** Returns the token that all attempts follow. */
  CancellationToken token() {
    return attempts.token();
  }

  boolean isDraining() {
    return draining;
  }

  void drain() {
    draining = true;
  }

  /** Fires the tokens, on another thread: what executors do about it may take long. */
  void stopWithin(Duration patience) {
    draining = true;
    synchronized (this) {
      long at = System.nanoTime() + patience.toNanos();
      giveUpAt = at - giveUpAt < 0 ? at : giveUpAt;
    }
    Threads.start("stop", attempts::cancel);
  }

  long untilGivingUp() {
    return giveUpAt - System.nanoTime();
  }

  void giveUp() {
    gaveUp = true;
  }

  /** One of the loops has ended. */
  void end() {
    ended.countDown();
  }

  boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** Waits for the end, no longer than this; returns whether it has come and nothing was lost. */
  boolean awaitEnd(Duration most) {
    return Threads.await(ended, most) && !gaveUp;
  }
}
