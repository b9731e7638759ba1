package dev.handofffence.benchmarks.fence;

import dev.handofffence.benchmarks.server.Database;
import dev.handofffence.runtime.EpochChange;
import dev.handofffence.runtime.RoleNames;
import dev.handofffence.runtime.StoreAdministration;
import dev.handofffence.testing.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** The migrated schema with restricted roles and an active epoch, as a host sets it up. */
final class FenceSchema {

  private static final RoleNames ROLES =
      new RoleNames(
          "fence_bench_owner",
          "fence_bench_dispatcher",
          "fence_bench_runtime",
          "fence_bench_operator");

  private static final String PASSWORD = "only-for-benchmarks";
  private static final String CREATE_ROLES = "/durable/roles/create-example-roles.sql";

  private FenceSchema() {}

  static void create(DataSource superuser) throws SQLException, IOException {
    run(superuser, roleSettings() + resource(CREATE_ROLES));
    DataSource owner = PostgresServer.actingAs(ROLES.owner(), superuser);
    Flyway.configure()
        .dataSource(owner)
        .locations(StoreAdministration.MIGRATIONS)
        .failOnMissingLocations(true)
        .schemas(StoreAdministration.SCHEMA)
        .table(StoreAdministration.MIGRATIONS_TABLE)
        .load()
        .migrate();
    StoreAdministration administration = StoreAdministration.of(owner);
    administration.grantRoles(ROLES);
    administration
        .initialiseEpoch(EpochChange.of(UUID.randomUUID(), "benchmark", "a fresh database"))
        .orElseThrow();
    run(superuser, ApplicationTables.DDL + grantsOfApplication());
  }

  static Database asRuntime(Database database) {
    return database.as(ROLES.runtime(), PASSWORD);
  }

  static Database asDispatcher(Database database) {
    return database.as(ROLES.dispatcher(), PASSWORD);
  }

  private static String roleSettings() {
    return """
        SET durable.owner_role = '%s';
        SET durable.dispatcher_role = '%s';
        SET durable.runtime_role = '%s';
        SET durable.operator_role = '%s';
        SET durable.example_password = '%s';
        """
        .formatted(ROLES.owner(), ROLES.dispatcher(), ROLES.runtime(), ROLES.operator(), PASSWORD);
  }

  private static String grantsOfApplication() {
    return """
        GRANT USAGE ON SCHEMA app TO %1$s;
        GRANT SELECT, UPDATE ON app.authority TO %1$s;
        GRANT SELECT, INSERT, UPDATE ON app.ledger TO %1$s;
        """
        .formatted(ROLES.runtime());
  }

  private static void run(DataSource source, String sql) throws SQLException {
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String resource(String path) throws IOException {
    try (InputStream in = StoreAdministration.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("The library brings no " + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
