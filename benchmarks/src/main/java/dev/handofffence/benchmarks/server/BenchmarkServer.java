package dev.handofffence.benchmarks.server;

import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.testing.PostgresServer;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/** The server of a run: durable, or the run is refused. */
public final class BenchmarkServer implements AutoCloseable {

  /** Variable with the URL, user and password of a superuser; otherwise a server is started. */
  public static final String URL = "FENCE_BENCH_JDBC_URL";

  private static final List<String> REPORTED =
      List.of(
          "server_version",
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "wal_sync_method",
          "wal_level",
          "shared_buffers",
          "max_wal_size",
          "checkpoint_timeout",
          "autovacuum",
          "jit");

  private final PostgresServer server;
  private final Database maintenance;

  private BenchmarkServer(PostgresServer server, Database maintenance) {
    this.server = server;
    this.maintenance = maintenance;
  }

  /**
   * Starts the server, or connects to the one of {@link #URL}.
   *
   * @throws IllegalStateException if commits would not survive a crash of the server's machine
   */
  public static BenchmarkServer start() throws SQLException {
    String url = System.getenv(URL);
    if (url != null) {
      System.setProperty("FENCE_TEST_JDBC_URL", url);
    }
    PostgresServer server = url == null ? PostgresServer.startDurable() : PostgresServer.shared();
    BenchmarkServer started = new BenchmarkServer(server, maintenance(server, url));
    started.checkDurable();
    return started;
  }

  private static Database maintenance(PostgresServer server, @Nullable String url) {
    Properties parts = Driver.parseURL(url == null ? server.jdbcUrl("postgres") : url, null);
    if (parts == null) {
      throw new IllegalArgumentException(URL + " is not a JDBC URL of PostgreSQL");
    }
    return new Database(
        parts.getProperty("PGHOST", "localhost"),
        Integer.parseInt(parts.getProperty("PGPORT", "5432")),
        parts.getProperty("PGDBNAME", "postgres"),
        parts.getProperty("user", "postgres"),
        parts.getProperty("password", ""));
  }

  /** Returns a database of this server to another process that has the same environment. */
  public static Database credentials(String host, int port, String name) {
    String url = System.getenv(URL);
    Properties parts = url == null ? new Properties() : Driver.parseURL(url, null);
    if (parts == null) {
      throw new IllegalArgumentException(URL + " is not a JDBC URL of PostgreSQL");
    }
    return new Database(
        host, port, name, parts.getProperty("user", "postgres"), parts.getProperty("password", ""));
  }

  private void checkDurable() throws SQLException {
    for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
      String value = Query.text(maintenance, "SHOW " + setting);
      if (!value.equals("on")) {
        throw new IllegalStateException(
            setting + " is '" + value + "' on " + maintenance + "; a comparison needs 'on'");
      }
    }
  }

  /** Returns where the server is, with the superuser's credentials. */
  public Database maintenance() {
    return maintenance;
  }

  /** Returns the settings that a reader of the figures has to know. */
  public Map<String, String> settings() throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String setting : REPORTED) {
      settings.put(setting, Query.text(maintenance, "SHOW " + setting));
    }
    return settings;
  }

  /** Creates a database with the schema of a contender and nothing in it. */
  public Database create(Entry entry) {
    String name =
        server.createDatabase(
            entry.key(),
            superuser -> {
              try {
                entry.contender().createSchema(superuser);
              } catch (Exception e) {
                throw new SQLException("Cannot create the schema of " + entry.key(), e);
              }
            });
    return named(name);
  }

  /** Creates an empty database. */
  public Database createEmpty() {
    return named(server.createDatabase());
  }

  private Database named(String name) {
    return new Database(
        maintenance.host(), maintenance.port(), name, maintenance.user(), maintenance.password());
  }

  /** Drops a database; fails if somebody is still connected. */
  public void drop(Database database) {
    server.dropDatabase(database.name());
  }

  public void checkpoint() throws SQLException {
    Query.execute(maintenance, "CHECKPOINT");
  }

  @Override
  public void close() {
    server.close();
  }
}
