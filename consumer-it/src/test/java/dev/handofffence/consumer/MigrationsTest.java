package dev.handofffence.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.testing.PostgresServer;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The library's migrations and the application's, in one database; on the module path, except where
 * the packed rail says otherwise.
 */
class MigrationsTest {

  private final PostgresServer server = PostgresServer.shared();
  private final DataSource superuser = server.superuser(server.createDatabase());

  @BeforeEach
  void createRoles() throws SQLException {
    ConsumerDatabase.createRoles(superuser);
  }

  @Test
  void module_isNamedUnlessOnTheClassPath() {
    boolean modular = !"false".equals(System.getProperty("fence.modular"));

    assertThat(getClass().getModule().getName())
        .isEqualTo(modular ? "dev.handofffence.consumer" : null);
  }

  @Test
  void bothSchemas_migrateWithTheLibraryFirst() throws SQLException {
    assertThat(migrateDurable()).isPositive();
    assertThat(migrateConsumer()).isPositive();

    assertRerunFindsNothing();
  }

  @Test
  void bothSchemas_migrateWithTheApplicationFirst() throws SQLException {
    assertThat(migrateConsumer()).isPositive();
    assertThat(migrateDurable()).isPositive();

    assertRerunFindsNothing();
  }

  @Test
  void histories_areApart() throws SQLException {
    migrateDurable();
    migrateConsumer();

    assertThat(historyTables())
        .isEqualTo("consumer.flyway_schema_history durable.durable_schema_history");
  }

  private void assertRerunFindsNothing() throws SQLException {
    assertThat(migrateDurable()).isZero();
    assertThat(migrateConsumer()).isZero();
    assertThat(ConsumerDatabase.durable(superuser).validateWithResult().validationSuccessful)
        .isTrue();
    assertThat(ConsumerDatabase.consumer(superuser).validateWithResult().validationSuccessful)
        .isTrue();
  }

  private int migrateDurable() throws SQLException {
    int executed = ConsumerDatabase.durable(superuser).migrate().migrationsExecuted;
    ConsumerDatabase.grantRoles(superuser);
    return executed;
  }

  private int migrateConsumer() {
    return ConsumerDatabase.consumer(superuser).migrate().migrationsExecuted;
  }

  private String historyTables() throws SQLException {
    try (var connection = superuser.getConnection();
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "SELECT string_agg(schemaname || '.' || tablename, ' ' ORDER BY schemaname)"
                    + " FROM pg_tables WHERE tablename LIKE '%schema_history'")) {
      row.next();
      return row.getString(1);
    }
  }
}
