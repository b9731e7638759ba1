package dev.handofffence.schema;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.testing.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every migration begins by taking the epoch lock exclusively, so that no runtime overlaps it. */
class MigrationLockTest {

  private static final String EPOCH_KEY = "7521414230330205697";

  private final PostgresServer server = PostgresServer.shared();
  private final String name = server.createDatabase();
  private final DataSource superuser = server.superuser(name);

  @BeforeEach
  void createRoles() throws SQLException {
    try (var connection = superuser.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(DurableDatabase.script("create-example-roles.sql"));
    }
  }

  @AfterEach
  void close() {
    server.dropDatabase(name);
  }

  /** Number and file name of each script. */
  static Stream<String> scripts() {
    PostgresServer server = PostgresServer.shared();
    String empty = server.createDatabase();
    try {
      DataSource superuser = server.superuser(empty);
      try (var connection = superuser.getConnection();
          var statement = connection.createStatement()) {
        statement.execute(DurableDatabase.script("create-example-roles.sql"));
      }
      return Stream.of(DurableDatabase.flyway(superuser).info().pending())
          .map(MigrationInfo::getScript);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } finally {
      server.dropDatabase(empty);
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void script_beginsWithTheLock(String script) throws IOException {
    assertThat(firstStatement(script))
        .isIn(
            "SELECT pg_advisory_xact_lock(" + EPOCH_KEY + ");",
            "SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '60 seconds');");
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void migration_waitsForARuntimeTransactionAndGoesOn(String script) throws SQLException {
    migrateUpTo(script);
    String before = tables();
    try (Connection runtime = superuser.getConnection()) {
      runtime.setAutoCommit(false);
      try (var statement = runtime.createStatement()) {
        statement.execute("SELECT pg_advisory_xact_lock_shared(" + EPOCH_KEY + ")");
      }

      CompletableFuture<Integer> migration =
          Background.supply(() -> flyway(script).migrate().migrationsExecuted);
      untilSomebodyWaitsForTheEpoch();
      assertThat(migration).isNotDone();
      assertThat(tables()).isEqualTo(before);

      runtime.commit();
      assertThat(migration).succeedsWithin(30, SECONDS).isEqualTo(1);
    }
  }

  private void migrateUpTo(String script) {
    int version = Integer.parseInt(version(script));
    if (version > 1) {
      flyway("V" + (version - 1) + "__").migrate();
    }
  }

  private Flyway flyway(String lastScript) {
    return Flyway.configure()
        .configuration(DurableDatabase.flyway(superuser).getConfiguration())
        .target(version(lastScript))
        .load();
  }

  private static String version(String script) {
    return script.substring(1, script.indexOf("__"));
  }

  private void untilSomebodyWaitsForTheEpoch() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                ask("""
                        SELECT count(*) FROM pg_locks
                        WHERE locktype = 'advisory' AND NOT granted AND mode = 'ExclusiveLock'
                          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                          AND (classid::bigint << 32) | objid::bigint = %s
                        """
                        .formatted(EPOCH_KEY))
                    .equals("1"));
  }

  /** Flyway has made its schema and history before the first script runs. */
  private String tables() {
    return ask(
        """
        SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'durable' AND c.relname NOT LIKE 'durable_schema_history%'
        """);
  }

  private static String firstStatement(String script) throws IOException {
    try (InputStream in =
        MigrationLockTest.class.getResourceAsStream("/durable/migration/" + script)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replaceFirst(
              "(?s)DO\n\\$\\$.*?\n\\$\\$;\n", "") // V1 judges the server, which changes nothing
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("--"))
          .findFirst()
          .orElseThrow();
    }
  }

  private String ask(String sql) {
    try (var connection = superuser.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
