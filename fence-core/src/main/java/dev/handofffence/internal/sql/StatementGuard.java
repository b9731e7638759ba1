package dev.handofffence.internal.sql;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.sql.SQLException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Lets another thread cancel what a connection is doing between {@link #enter} and {@link #exit}:
 * never a later statement of the connection, and never in vain.
 *
 * <p>The server ignores a cancel request that reaches it while it is idle, so the request is
 * repeated until the section has ended; and {@link #exit} waits while a request is being delivered,
 * so none can hit what follows. One thread executes; any other may cancel.
 */
public final class StatementGuard {

  /**
   * How long a section may take to end by itself before it is made to, and how long until a request
   * that did not end it is repeated; doubles. Not at once, because the first statement of a section
   * sets the savepoint that undoes the rest: hit before that, the caller's transaction is lost.
   * Long enough for a backend that a busy machine has put aside just then: 20 ms were not.
   */
  private static final long FIRST_PAUSE_MILLIS = 100;

  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final Executor courier;
  private final long firstPauseMillis;
  private @Nullable PGConnection current;
  private boolean cancelled;

  /**
   * Makes a guard.
   *
   * @param courier delivers cancel requests, not on the cancelling thread
   */
  public StatementGuard(Executor courier) {
    this(courier, FIRST_PAUSE_MILLIS);
  }

  StatementGuard(Executor courier, long firstPauseMillis) {
    this.courier = courier;
    this.firstPauseMillis = firstPauseMillis;
  }

  /**
   * On the executing thread, right before it executes; false when the guard was cancelled before,
   * and nothing may be executed.
   */
  public synchronized boolean enter(PGConnection connection) {
    if (cancelled) {
      return false;
    }
    current = connection;
    return true;
  }

  /** On the executing thread, after it executed. Idempotent. */
  public synchronized void exit() {
    current = null;
    notifyAll();
  }

  /** Cancels the section in progress, if there is one, and every later one. Does not block. */
  public synchronized void cancel() {
    if (cancelled) {
      return;
    }
    cancelled = true;
    PGConnection target = current;
    if (target != null) {
      courier.execute(() -> deliver(target));
    }
  }

  private synchronized void deliver(PGConnection target) {
    long pause = firstPauseMillis;
    while (!endsWithin(pause, target)) {
      try {
        target.cancelQuery();
      } catch (SQLException e) {
        // The request could not be delivered; the section is still in progress, so it is worth
        // another try.
      }
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }

  private synchronized boolean endsWithin(long millis, PGConnection target) {
    long end = System.nanoTime() + MILLISECONDS.toNanos(millis);
    try {
      for (long left = end - System.nanoTime(); current == target; left = end - System.nanoTime()) {
        if (left <= 0) {
          return false;
        }
        NANOSECONDS.timedWait(this, left);
      }
      return true;
    } catch (InterruptedException e) {
      return true; // nobody but a shutdown of the JVM interrupts a courier
    }
  }
}
