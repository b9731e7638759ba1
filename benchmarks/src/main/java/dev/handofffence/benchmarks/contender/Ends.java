package dev.handofffence.benchmarks.contender;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** How threads and connections end. An interrupt is kept, and ends the waiting. */
public final class Ends {

  private static final int PATIENCE_SECONDS = 10;

  private Ends() {}

  public static void join(Thread thread) {
    try {
      thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new IllegalStateException(thread.getName() + " did not end");
    }
  }

  public static void shutDown(ExecutorService executor) {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("Jobs still run: " + executor);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot close " + connection, e);
    }
  }
}
