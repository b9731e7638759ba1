package dev.handofffence.internal.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Lets another thread cancel the statement that is in flight: never a later one of the connection,
 * and never in vain.
 *
 * <p>The server ignores a cancel request that reaches it while it is idle, so the request is
 * repeated until the statement has ended; and the executing thread waits while a request is being
 * delivered, so none can hit its next statement.
 */
public final class StatementGuard {

  /** How long to wait before a cancel request that did not end the statement is repeated. */
  private static final long REPEAT_MILLIS = 20;

  private java.sql.@Nullable Statement current;
  private boolean cancelled;

  /**
   * On the executing thread, right before it executes.
   *
   * @throws CancellationException when the guard was cancelled before
   */
  synchronized void enter(PreparedStatement statement) {
    if (cancelled) {
      throw new CancellationException("Cancelled before the statement was sent");
    }
    current = statement;
  }

  /** On the executing thread, after it executed. */
  synchronized void exit() {
    current = null;
    notifyAll();
  }

  /** On any other thread: returns when the statement in flight, if there is one, has ended. */
  public synchronized void cancel() {
    cancelled = true;
    boolean interrupted = false;
    java.sql.Statement target = current;
    while (target != null && current == target) {
      try {
        target.getConnection().unwrap(PGConnection.class).cancelQuery();
      } catch (SQLException e) {
        // The request could not be delivered; the statement is still in flight, so it is worth
        // another try.
      }
      try {
        wait(REPEAT_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
