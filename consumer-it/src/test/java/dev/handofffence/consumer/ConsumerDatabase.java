package dev.handofffence.consumer;

import dev.handofffence.StoreIdentity;
import dev.handofffence.runtime.EpochChange;
import dev.handofffence.runtime.RoleNames;
import dev.handofffence.runtime.StoreAdministration;
import dev.handofffence.testing.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * A fresh database as a deployer leaves it: roles, both schemas, grants, an active epoch and
 * timeouts. What runs in it afterwards logs in with the restricted roles.
 */
public final class ConsumerDatabase implements AutoCloseable {

  private static final String OWNER = "fence_it_owner";
  private static final String DISPATCHER = "fence_it_dispatcher";
  private static final String RUNTIME = "fence_it_runtime";
  private static final String OPERATOR = "fence_it_operator";
  private static final String PASSWORD = "only-for-tests";
  private static final RoleNames ROLES = new RoleNames(OWNER, DISPATCHER, RUNTIME, OPERATOR);

  private final PostgresServer server;
  private final String name;
  private final StoreIdentity store;

  private ConsumerDatabase(PostgresServer server) {
    this.server = server;
    this.name = server.createDatabase("consumer", ConsumerDatabase::deploy);
    configureSessions();
    server.recordSession(runtime());
    this.store = initialiseEpoch();
  }

  /** Creates the database on the server of this JVM. */
  public static ConsumerDatabase create() {
    return new ConsumerDatabase(PostgresServer.shared());
  }

  /** Creates the roles, applies the migrations of the library and of the application, grants. */
  static void deploy(DataSource superuser) throws SQLException {
    createRoles(superuser);
    durable(superuser).migrate();
    grantRoles(superuser);
    consumer(superuser).migrate();
  }

  static void createRoles(DataSource superuser) throws SQLException {
    run(
        superuser,
        """
        SET durable.owner_role = '%s';
        SET durable.dispatcher_role = '%s';
        SET durable.runtime_role = '%s';
        SET durable.operator_role = '%s';
        SET durable.example_password = '%s';
        """
                .formatted(OWNER, DISPATCHER, RUNTIME, OPERATOR, PASSWORD)
            + resource("durable/roles/create-example-roles.sql"));
  }

  static void grantRoles(DataSource superuser) {
    StoreAdministration.of(PostgresServer.actingAs(OWNER, superuser)).grantRoles(ROLES);
  }

  static Flyway durable(DataSource superuser) {
    return Flyway.configure()
        .dataSource(PostgresServer.actingAs(OWNER, superuser))
        .locations(StoreAdministration.MIGRATIONS)
        .failOnMissingLocations(true)
        .schemas(StoreAdministration.SCHEMA)
        .table(StoreAdministration.MIGRATIONS_TABLE)
        .load();
  }

  static Flyway consumer(DataSource superuser) {
    return ConsumerSchema.flyway(PostgresServer.actingAs(OWNER, superuser), RUNTIME);
  }

  public StoreIdentity store() {
    return store;
  }

  public DataSource runtime() {
    return server.dataSource(name, RUNTIME, PASSWORD);
  }

  /** Returns connections that nobody gets. */
  DataSource withoutLogin() {
    return server.dataSource(name, "nobody_of_that_name", PASSWORD);
  }

  public DataSource dispatcher() {
    return server.dataSource(name, DISPATCHER, PASSWORD);
  }

  /** Returns connections that see every tenant: to set up and to look, never to run anything. */
  public DataSource superuser() {
    return server.superuser(name);
  }

  /** Runs SQL as the superuser. */
  public void execute(String sql) {
    try {
      run(superuser(), sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the first column of the only row as text, read by the superuser. */
  public String ask(String sql) {
    try (var connection = superuser().getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      if (!rows.next()) {
        throw new IllegalStateException("No row: " + sql);
      }
      return String.valueOf(rows.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the first column of every row as text, read by the superuser. */
  public List<String> list(String sql) throws SQLException {
    try (var connection = superuser().getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }

  /** Drops the database; fails when a connection was not closed. */
  @Override
  public void close() {
    server.dropDatabase(name);
  }

  /**
   * The host's own limits, finite and in this order, and durable commits; the library sets none.
   */
  private void configureSessions() {
    execute(
        """
        ALTER ROLE %1$s IN DATABASE %2$s SET synchronous_commit = 'on';
        ALTER ROLE %1$s IN DATABASE %2$s SET lock_timeout = '2s';
        ALTER ROLE %1$s IN DATABASE %2$s SET statement_timeout = '10s';
        ALTER ROLE %1$s IN DATABASE %2$s SET idle_in_transaction_session_timeout = '30s';
        """
            .formatted(RUNTIME, name));
  }

  private StoreIdentity initialiseEpoch() {
    return StoreAdministration.of(PostgresServer.actingAs(OWNER, superuser()))
        .initialiseEpoch(EpochChange.of(UUID.randomUUID(), "deployer", "first start"))
        .orElseThrow();
  }

  private static void run(DataSource source, String sql) throws SQLException {
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String resource(String path) {
    try (InputStream in = ConsumerDatabase.class.getClassLoader().getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("Not packed with the library: " + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
