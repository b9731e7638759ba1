package dev.handofffence.benchmarks.floor;

import dev.handofffence.benchmarks.contender.Ends;
import dev.handofffence.benchmarks.contender.JobBody;
import dev.handofffence.benchmarks.contender.Workers;
import dev.handofffence.benchmarks.server.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Threads that each claim for themselves, on a connection of their own. */
final class JdbcWorkers implements Workers {

  private static final int IDLE_MILLIS = 20;
  private static final int LISTEN_MILLIS = 100;

  private final JdbcSteps steps;
  private final JobBody body;
  private final List<Connection> connections = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final @Nullable Connection listener;
  private final Semaphore wakeUps = new Semaphore(0);
  private volatile boolean stopped;

  JdbcWorkers(Database database, int workers, JdbcSteps steps, JobBody body) throws SQLException {
    this.steps = steps;
    this.body = body;
    for (int i = 0; i < workers; i++) {
      connections.add(database.unpooled().getConnection());
    }
    this.listener = steps.wakes() ? database.unpooled().getConnection() : null;
  }

  @Override
  public void start() {
    for (int i = 0; i < connections.size(); i++) {
      Connection connection = connections.get(i);
      int owner = i;
      start("jdbc-worker-" + i, () -> work(new JdbcStatements(connection, owner, steps)));
    }
    Connection listening = listener;
    if (listening != null) {
      start("jdbc-listener", () -> listen(listening));
    }
  }

  private void start(String name, Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (SQLException e) {
                throw new IllegalStateException("A worker failed", e);
              }
            },
            name);
    threads.add(thread);
    thread.start();
  }

  private void work(JdbcStatements statements) throws SQLException {
    try (statements) {
      while (!stopped) {
        List<Job> claimed = statements.claim();
        if (claimed.isEmpty()) {
          await();
        } else {
          run(statements, claimed);
        }
      }
    }
  }

  private void run(JdbcStatements statements, List<Job> claimed) throws SQLException {
    for (Job job : claimed) {
      if (steps.permit()) {
        statements.permit(job);
      }
      body.run(job.payload());
      if (!steps.completeTogether()) {
        statements.complete(job);
      }
    }
    if (steps.completeTogether()) {
      statements.completeAll(claimed);
    }
  }

  /** Waits for the listener, which wakes one worker per notification, or for the next poll. */
  private void await() {
    try {
      wakeUps.tryAcquire(listener == null ? IDLE_MILLIS : 1_000, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopped = true;
    }
  }

  private void listen(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("LISTEN " + JdbcQueue.CHANNEL);
    }
    PGConnection notified = connection.unwrap(PGConnection.class);
    while (!stopped) {
      wakeUps.release(notified.getNotifications(LISTEN_MILLIS).length);
    }
  }

  @Override
  public void close() {
    stopped = true;
    wakeUps.release(connections.size());
    threads.forEach(Ends::join);
    connections.forEach(Ends::close);
    if (listener != null) {
      Ends.close(listener);
    }
  }

  @FunctionalInterface
  private interface Step {
    void run() throws SQLException;
  }
}
