package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.CommandId;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Pools are often configured with autocommit off. The library's own transactions commit all the
 * same, and connections go back as they came.
 */
class PoolWithoutAutocommitTest {

  private final PumpScene scene = new PumpScene();
  private final HikariDataSource runtimePool = pool(DurableDatabase.RUNTIME);
  private final HikariDataSource dispatcherPool = pool(DurableDatabase.DISPATCHER);
  private final HikariDataSource operatorPool = pool(DurableDatabase.OPERATOR);
  private final WorkDefinition<String, String> definition =
      PumpScene.definition(ProviderSafety.PROVIDER_KEYED);
  private final DurableRuntime runtime =
      scene
          .builder()
          .runtimeDataSource(runtimePool)
          .dispatcherDataSource(dispatcherPool)
          .register(definition, invocation -> (work, token) -> WorkExit.succeeded("sent"))
          .build();

  @AfterEach
  void close() throws SQLException {
    for (HikariDataSource pool :
        new HikariDataSource[] {runtimePool, dispatcherPool, operatorPool}) {
      try (Connection connection = pool.getConnection()) {
        assertThat(connection.getAutoCommit()).isFalse();
      }
      pool.close();
    }
    scene.close();
  }

  @Test
  void work_isAcceptedRunAndLookedAt() {
    WorkId work = scene.accept(runtime, definition);
    assertThat(scene.state(work)).as("committed").isEqualTo("ready");

    runtime.pump().runOnce(PumpPass.of(1));

    assertThat(operator().find(PumpScene.TENANT, work).orElseThrow().work().state())
        .isEqualTo(WorkState.SUCCEEDED);
    assertThat(operator().scopes(Optional.empty(), 10).items()).hasSize(1);
  }

  @Test
  void cancellation_commits() {
    WorkId work = scene.accept(runtime, definition);
    WorkCommand command =
        WorkCommand.of(PumpScene.TENANT, work, CommandId.of("c"), "olga", "ticket 7");

    operator().cancel(command).orElseThrow();

    assertThat(scene.state(work)).isEqualTo("canceled");
  }

  @Test
  void credentials_areChecked() {
    assertThat(StoreAdministration.checkRole(ServiceRole.RUNTIME, runtimePool).isRestricted())
        .isTrue();
    assertThat(StoreAdministration.checkSessions(runtimePool).settings()).isNotEmpty();
  }

  private WorkOperator operator() {
    return WorkOperator.of(operatorPool, scene.database.store());
  }

  private HikariDataSource pool(String role) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(scene.database.jdbcUrl());
    pool.setUsername(role);
    pool.setPassword(DurableDatabase.PASSWORD);
    pool.setMaximumPoolSize(8);
    pool.setMinimumIdle(0);
    pool.setAutoCommit(false);
    return pool;
  }
}
