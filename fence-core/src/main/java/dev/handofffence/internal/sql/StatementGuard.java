package dev.handofffence.internal.sql;

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

  /** How long to wait before a request that did not end the section is repeated; doubles. */
  private static final long FIRST_PAUSE_MILLIS = 20;

  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final Executor courier;
  private @Nullable PGConnection current;
  private boolean cancelled;

  /**
   * Makes a guard.
   *
   * @param courier delivers cancel requests, not on the cancelling thread
   */
  public StatementGuard(Executor courier) {
    this.courier = courier;
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
    long pause = FIRST_PAUSE_MILLIS;
    while (current == target) {
      try {
        target.cancelQuery();
      } catch (SQLException e) {
        // The request could not be delivered; the section is still in progress, so it is worth
        // another try.
      }
      try {
        wait(pause);
      } catch (InterruptedException e) {
        return; // nobody but a shutdown of the JVM interrupts a courier
      }
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }
}
