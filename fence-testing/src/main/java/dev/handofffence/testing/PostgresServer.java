package dev.handofffence.testing;

import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL for tests: one for each JVM, and databases copied from a template in a fraction of a
 * second.
 *
 * <p>Which one is decided by the first of these that applies: {@code FENCE_TEST_JDBC_URL} (variable
 * or system property; 16 or newer, with the user and password of a superuser), the system property
 * {@code fence.test.server} ({@code testcontainers}, {@code embedded} or {@code auto}), Docker if
 * it answers, embedded binaries. With the system property {@code fence.test.pooler} at {@code
 * pgbouncer} the roles' connections go through PgBouncer in transaction mode; the superuser's and
 * those through a proxy do not.
 *
 * <p>Sessions of the data sources given out here have a time zone that is not UTC. At the exit of
 * the JVM what was started is stopped and what was created elsewhere is dropped. Thread-safe.
 */
public final class PostgresServer implements AutoCloseable {

  /** The time zone of sessions: far from UTC, and not by whole hours. */
  public static final String TIME_ZONE = "Asia/Kathmandu";

  static final int MAX_CONNECTIONS = 300;

  private static final int OLDEST_VERSION = 160000;

  private static @Nullable PostgresServer shared;

  private final Server server;
  private final ServerFacts facts = new ServerFacts();
  private final Set<String> databases = new LinkedHashSet<>();
  private final Map<String, String> templates = new TreeMap<>();
  private final Thread closeAtExit = new Thread(this::stop, "postgres-server-stop");
  private final String prefix = "fence_" + UUID.randomUUID().toString().substring(0, 8) + '_';
  private @Nullable Pooler pooler;
  private int created;
  private boolean closed;

  private PostgresServer(Server server) {
    this.server = server;
  }

  /**
   * Returns the server of this JVM, started at the first call. Commits may be lost in a crash of
   * the machine; see {@link #startDurable()}.
   *
   * @return the server; nobody closes it
   */
  public static synchronized PostgresServer shared() {
    if (shared == null) {
      shared = checked(choose());
      shared.startPooler();
      shared.recordServer();
    }
    return shared;
  }

  /**
   * Starts an embedded server that keeps what it has committed ({@code fsync} and {@code
   * synchronous_commit} are on), for tests of crashes and of speed.
   *
   * @return the server; the caller closes it
   */
  public static PostgresServer startDurable() {
    return checked(EmbeddedServer.start("on"));
  }

  private void startPooler() {
    if (Pooler.isWanted()) {
      pooler = Pooler.start(source(null));
      facts.record(Map.of("pooler", pooler.version()));
    }
  }

  private void recordServer() {
    facts.record(server.facts());
    facts.record(
        Map.of(
            "version", ask("SELECT version()"),
            "identity", ask("SELECT system_identifier FROM pg_control_system()"),
            "driver", driverVersion()));
  }

  /** Asks a connection, because a constant of the driver would be the one compiled against. */
  private String driverVersion() {
    try (var connection = source(null).getConnection()) {
      return connection.getMetaData().getDriverVersion();
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot connect to " + server, e);
    }
  }

  /**
   * Writes down, for the evidence of a rail, what bounds the sessions of a role and where
   * PostgreSQL has it from.
   *
   * @param role connections of the role, made by this class
   */
  public void recordSession(DataSource role) {
    facts.recordTimeouts(role);
  }

  private static Server choose() {
    String url = System.getProperty(ExternalServer.SETTING, System.getenv(ExternalServer.SETTING));
    if (url != null && !url.isBlank()) {
      return new ExternalServer(url);
    }
    String kind = System.getProperty("fence.test.server", "auto");
    return switch (kind) {
      case "auto" ->
          ContainerServer.isPossible() ? ContainerServer.start() : EmbeddedServer.start("off");
      case "testcontainers" -> ContainerServer.start();
      case "embedded" -> EmbeddedServer.start("off");
      default ->
          throw new IllegalArgumentException(
              "fence.test.server is '" + kind + "'; expected auto, testcontainers or embedded");
    };
  }

  private static PostgresServer checked(Server server) {
    PostgresServer started = new PostgresServer(server);
    Runtime.getRuntime().addShutdownHook(started.closeAtExit);
    try {
      started.check();
      return started;
    } catch (RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private void check() {
    connect();
    int version = Integer.parseInt(ask("SHOW server_version_num"));
    if (version < OLDEST_VERSION) {
      throw new IllegalStateException(
          "PostgreSQL 16 or newer is needed, but " + server + " is " + ask("SHOW server_version"));
    }
    if (!"on".equals(ask("SHOW is_superuser"))) {
      throw new IllegalStateException("The user of " + server + " must be a superuser");
    }
  }

  /**
   * Creates an empty database.
   *
   * @return its name
   */
  public synchronized String createDatabase() {
    return create("template1");
  }

  /**
   * Creates a database as a copy of a template, which is made first if there is none of this name.
   *
   * @param template names the template within this JVM
   * @param initializer fills the template; called for the first database only
   * @return the name of the database
   */
  public synchronized String createDatabase(String template, DatabaseInitializer initializer) {
    String source = templates.get(template);
    if (source == null) {
      source = create("template1");
      try {
        initializer.initialize(superuser(source));
      } catch (SQLException e) {
        throw new IllegalStateException("Cannot fill the template '" + template + "'", e);
      }
      templates.put(template, source);
    }
    return create(source);
  }

  private String create(String template) {
    String name = prefix + ++created;
    execute("CREATE DATABASE " + name + " TEMPLATE " + template);
    databases.add(name);
    return name;
  }

  /**
   * Drops a database. Fails if somebody is still connected after five seconds, so a leaked
   * connection fails its test; behind a pooler, which keeps connections, nobody is looked for.
   *
   * @param database the name that {@link #createDatabase()} returned
   */
  public synchronized void dropDatabase(String database) {
    if (!databases.contains(database)) {
      throw new IllegalArgumentException("Not a database of this server: " + database);
    }
    execute("DROP DATABASE " + database + (pooler == null ? "" : " WITH (FORCE)"));
    databases.remove(database);
  }

  /**
   * Returns the URL of a database, without user and password. Connections made with it have the
   * time zone of the JVM.
   *
   * @param database the name of the database
   * @return the URL
   */
  public String jdbcUrl(String database) {
    return source(database).getUrl();
  }

  /**
   * Returns unpooled connections of the superuser, to whom row-level security does not apply.
   *
   * @param database the name of the database
   * @return the connections
   */
  public DataSource superuser(String database) {
    return source(database);
  }

  /**
   * Returns unpooled connections of a role.
   *
   * @param database the name of the database
   * @param role the role, which may log in
   * @param password its password
   * @return the connections
   */
  public DataSource dataSource(String database, String role, String password) {
    ZonedDataSource source = source(database);
    source.setUser(role);
    source.setPassword(password);
    if (pooler != null) {
      pooler.configure(source);
    }
    return source;
  }

  /**
   * Starts a proxy in front of this server.
   *
   * @return the proxy; the caller closes it
   */
  public WireProxy proxy() {
    return proxy(Duration.ZERO);
  }

  /**
   * Starts a proxy that makes this server a distant one.
   *
   * @param delay how long data is under way in each direction, so half of a round trip
   * @return the proxy; the caller closes it
   */
  public WireProxy proxy(Duration delay) {
    ZonedDataSource direct = source(null);
    return WireProxy.start(direct.getServerNames()[0], direct.getPortNumbers()[0], delay);
  }

  /**
   * Returns unpooled connections of a role through a proxy.
   *
   * @param database the name of the database
   * @param role the role, which may log in
   * @param password its password
   * @param proxy a proxy of this server
   * @return the connections; each sends one statement when it is opened
   */
  public DataSource dataSource(String database, String role, String password, WireProxy proxy) {
    ZonedDataSource source = source(database, proxy);
    source.setUser(role);
    source.setPassword(password);
    return source;
  }

  /**
   * Returns unpooled connections of the superuser through a proxy.
   *
   * @param database the name of the database
   * @param proxy a proxy of this server
   * @return the connections; each sends one statement when it is opened
   */
  public DataSource superuser(String database, WireProxy proxy) {
    return source(database, proxy);
  }

  private ZonedDataSource source(String database, WireProxy proxy) {
    ZonedDataSource source = source(database);
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {proxy.port()});
    return source;
  }

  /**
   * Returns connections that act as a role from their start, which therefore owns what they create.
   *
   * @param role a role that need not be able to log in
   * @param login connections of a superuser or of a member of the role, made by this class
   * @return the connections
   */
  public static DataSource actingAs(String role, DataSource login) {
    if (!(login instanceof ZonedDataSource from)) {
      throw new IllegalArgumentException("Not a data source of PostgresServer: " + login);
    }
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(from.getUrl());
    source.setUser(from.getUser());
    source.setPassword(from.getPassword());
    source.setOptions("-c role=" + role);
    return source;
  }

  private ZonedDataSource source(@Nullable String database) {
    ZonedDataSource source = new ZonedDataSource();
    server.configure(source);
    if (database != null) {
      source.setDatabaseName(database);
    }
    return source;
  }

  /**
   * Returns the process that all backends descend from.
   *
   * @return its number
   * @throws UnsupportedOperationException unless the server is embedded
   */
  public long postmasterPid() {
    return embedded().postmasterPid();
  }

  /**
   * Crashes the server and starts it again: no checkpoint, every connection is lost, the same port
   * and settings, recovered from the log on return.
   *
   * @throws UnsupportedOperationException unless the server is embedded
   */
  public void restart() {
    embedded().restart("immediate");
  }

  /**
   * Restarts the server as an administrator would: sessions are ended, transactions rolled back,
   * what is in memory is written.
   *
   * @throws UnsupportedOperationException unless the server is embedded
   */
  public void restartInOrder() {
    embedded().restart("fast");
  }

  private EmbeddedServer embedded() {
    if (server instanceof EmbeddedServer embedded) {
      return embedded;
    }
    throw new UnsupportedOperationException("Only for an embedded server, not for " + server);
  }

  /** Stops the server, or drops what was created in it if it is not ours to stop. Idempotent. */
  @Override
  public void close() {
    stop();
    if (Thread.currentThread() != closeAtExit) {
      Runtime.getRuntime().removeShutdownHook(closeAtExit);
    }
  }

  private synchronized void stop() {
    if (closed) {
      return;
    }
    closed = true;
    if (!server.isThrownAway()) {
      databases.forEach(database -> execute("DROP DATABASE " + database + " WITH (FORCE)"));
    }
    if (pooler != null) {
      pooler.close();
    }
    server.close();
  }

  private void connect() {
    try (var connection = source(null).getConnection()) {
      connection.getMetaData();
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot connect to " + server, e);
    }
  }

  private void execute(String sql) {
    try (var connection = source(null).getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("Failed on " + server + ": " + sql, e);
    }
  }

  private String ask(String sql) {
    try (var connection = source(null).getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException("Failed on " + server + ": " + sql, e);
    }
  }
}
