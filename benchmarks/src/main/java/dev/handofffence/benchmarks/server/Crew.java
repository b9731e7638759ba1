package dev.handofffence.benchmarks.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Collections;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Connections that work off the same steps side by side. */
final class Crew {

  private static final int SIZE = 2;

  /**
   * As a replica no trigger fires and no foreign key is looked at. Commits stay synchronous: pages
   * of one that is not flushed cannot be marked as visible.
   */
  private static final String SETTINGS =
      "SET session_replication_role = replica; SET jit = off;"
          + " SET maintenance_work_mem = '512MB'; SET max_parallel_maintenance_workers = 2";

  private Crew() {}

  /** What one connection does at a time. */
  @FunctionalInterface
  interface Step {
    void run(Statement statement) throws SQLException;
  }

  static Connection connect(Database database) throws SQLException {
    Connection connection = database.unpooled().getConnection();
    try (var statement = connection.createStatement()) {
      statement.execute(SETTINGS);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Takes the steps in their order; none is begun after one has failed. */
  static void run(Database database, Collection<Step> steps) throws SQLException {
    Queue<Step> left = new ConcurrentLinkedQueue<>(steps);
    ExecutorService threads = Executors.newFixedThreadPool(SIZE);
    try {
      for (Future<?> each :
          threads.invokeAll(Collections.nCopies(SIZE, () -> work(database, left)))) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new SQLException("Cannot seed " + database, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static boolean work(Database database, Queue<Step> left) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (Step step = left.poll(); step != null; step = left.poll()) {
        step.run(statement);
      }
      return true;
    } catch (SQLException | RuntimeException e) {
      left.clear();
      throw e;
    }
  }
}
