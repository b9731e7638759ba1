package dev.handofffence.internal.handoff;

import java.sql.SQLException;

/**
 * Sends the fence's own statements with the thread's interrupt flag taken off, and puts it back: on
 * a virtual thread the driver would answer it by closing the socket, and the caller's transaction
 * would be lost.
 */
final class Trip {

  /** Statements of one network round trip. */
  @FunctionalInterface
  interface Statements<T> {
    T send() throws SQLException;
  }

  private Trip() {}

  static <T> T send(Statements<T> statements) throws SQLException {
    boolean interrupted = Thread.interrupted();
    try {
      return statements.send();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
