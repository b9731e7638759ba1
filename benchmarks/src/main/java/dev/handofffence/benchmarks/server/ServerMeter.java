package dev.handofffence.benchmarks.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;

/** Reads what the server has spent, over a connection to a database of its own. */
public final class ServerMeter implements AutoCloseable {

  private static final String COUNTERS =
      """
      SELECT pg_current_wal_insert_lsn()::text, pg_current_wal_insert_lsn() - '0/0',
        (SELECT xact_commit FROM pg_stat_database WHERE datname = ?)
      """;

  /** Full-page images, and commits that had something to write, between two places of the log. */
  private static final String WAL =
      """
      SELECT sum(fpi_size), sum(count) FILTER (WHERE "resource_manager/record_type" = 'Transaction/COMMIT')
      FROM pg_get_wal_stats(?::pg_lsn, ?::pg_lsn, true)
      """;

  private final BenchmarkServer server;
  private final Database database;
  private final Connection connection;
  private final ServerCpu cpu;

  private ServerMeter(
      BenchmarkServer server, Database database, Connection connection, ServerCpu cpu) {
    this.server = server;
    this.database = database;
    this.connection = connection;
    this.cpu = cpu;
  }

  /** Opens the meter; the extension pg_walinspect must be available. */
  public static ServerMeter open(BenchmarkServer server) throws SQLException {
    Database database = server.createEmpty();
    Query.execute(database, "CREATE EXTENSION pg_walinspect");
    Connection connection = database.unpooled().getConnection();
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return new ServerMeter(server, database, connection, ServerCpu.ofBackend(row.getLong(1)));
    }
  }

  /** Reads the counters; those of commits include everybody who has disconnected. */
  public Reading read(Database measured) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COUNTERS)) {
      statement.setString(1, measured.name());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Reading(row.getString(1), row.getLong(2), row.getLong(3), cpu.seconds());
      }
    }
  }

  /** Waits until no contender is connected, because a backend reports its counters when it ends. */
  public void awaitDisconnected(Database measured) throws SQLException {
    String sql =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = ? AND application_name <> ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, measured.name());
      statement.setString(2, HeldSnapshot.APPLICATION);
      long start = System.nanoTime();
      while (backends(statement) > 0 && System.nanoTime() - start < 5e9) {
        LockSupport.parkNanos(5_000_000);
      }
    }
  }

  private static long backends(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Returns what was spent since an earlier reading. */
  public Spent since(Reading before, Database measured) throws SQLException {
    Reading after = read(measured);
    try (PreparedStatement statement = connection.prepareStatement(WAL)) {
      statement.setString(1, before.lsn());
      statement.setString(2, after.lsn());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Spent(
            after.walBytes() - before.walBytes(),
            row.getLong(1),
            after.commits() - before.commits(),
            row.getLong(2),
            difference(after.cpuSeconds(), before.cpuSeconds()));
      }
    }
  }

  private static OptionalDouble difference(OptionalDouble after, OptionalDouble before) {
    return after.isPresent() && before.isPresent()
        ? OptionalDouble.of(after.getAsDouble() - before.getAsDouble())
        : OptionalDouble.empty();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    server.drop(database);
  }

  /**
   * The counters at one time.
   *
   * @param lsn where the log ends
   * @param walBytes the same as a number
   * @param commits transactions of the measured database that ended well, reading ones as well
   * @param cpuSeconds of all processes of the server, where they can be seen
   */
  public record Reading(String lsn, long walBytes, long commits, OptionalDouble cpuSeconds) {}

  /**
   * What the server spent in a phase.
   *
   * @param walBytes growth of the log
   * @param fullPageBytes how much of it were full-page images
   * @param commits transactions that ended well, reading ones as well
   * @param writingCommits transactions that had to be flushed
   * @param cpuSeconds of all processes of the server, where they can be seen
   */
  public record Spent(
      long walBytes,
      long fullPageBytes,
      long commits,
      long writingCommits,
      OptionalDouble cpuSeconds) {}
}
