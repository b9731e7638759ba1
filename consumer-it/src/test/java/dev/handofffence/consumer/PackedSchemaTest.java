package dev.handofffence.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.testing.PostgresServer;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

class PackedSchemaTest {

  @Test
  void migrations_areFoundOnTheModulePath() {
    PostgresServer server = PostgresServer.shared();
    String database = server.createDatabase();

    int executed =
        Flyway.configure()
            .dataSource(server.superuser(database))
            .locations("classpath:durable/migration")
            .failOnMissingLocations(true)
            .schemas("durable")
            .table("durable_schema_history")
            .load()
            .migrate()
            .migrationsExecuted;

    assertThat(getClass().getModule().getName()).isEqualTo("dev.handofffence.consumer");
    assertThat(executed).isPositive();
  }
}
