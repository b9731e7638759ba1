package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.GatedConnections;
import dev.handofffence.testing.WireFault;
import dev.handofffence.testing.WirePoint;
import dev.handofffence.testing.WireProxy;
import dev.handofffence.work.WorkDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** A host gets over every kind of loss of its database. */
@Timeout(90)
class HostLossTest {

  private final PumpScene scene = new PumpScene();
  private final WorkDefinition<String, String> definition = HostScene.keyed();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void sessionsEndedByAnAdministrator_areReplaced() {
    DurableRuntime runtime = runtime(scene.database.runtime(), scene.database.dispatcher());
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      assertRunsAfter(host, () -> HostScene.killSessions(scene));
      assertRunsAfter(host, () -> HostScene.killSessions(scene));
    }
  }

  @Test
  void pooledSessionsEndedByAnAdministrator_areReplaced() {
    try (HikariDataSource runtimePool = pool(DurableDatabase.RUNTIME, 8);
        HikariDataSource dispatcherPool = pool(DurableDatabase.DISPATCHER, 1)) {
      DurableRuntime runtime = runtime(runtimePool, dispatcherPool);
      try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
        assertRunsAfter(host, () -> HostScene.killSessions(scene));
      }
    }
  }

  @Test
  void hostThatIsClosedDuringAnOutage_stopsAllTheSame() {
    GatedConnections connections = new GatedConnections(scene.database.runtime(), name -> true);
    DurableRuntime runtime = runtime(connections, scene.database.dispatcher());
    WorkerHost host = runtime.startHost(HostScene.quick().build());
    HostScene.untilState(host, HostHealth.State.HEALTHY);
    connections.refuseWith(new SQLException("down", "08006"));
    HostScene.killSessions(scene);
    HostScene.untilState(host, HostHealth.State.UNAVAILABLE);

    host.close();

    assertThat(host.health().state()).isEqualTo(HostHealth.State.STOPPED);
  }

  /** Such as a class of a pool that cannot be loaded; the loop outlives it. */
  @Test
  void dataSourceThatThrowsAnError_isTriedAgain() {
    AtomicBoolean broken = new AtomicBoolean(true);
    DataSource dispatcher =
        new AbstractDataSource() {
          @Override
          public Connection getConnection() throws SQLException {
            if (broken.get()) {
              throw new NoClassDefFoundError("pool/Metrics");
            }
            return scene.database.dispatcher().getConnection();
          }

          @Override
          public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
          }
        };
    DurableRuntime runtime = runtime(scene.database.runtime(), dispatcher);
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilState(host, HostHealth.State.UNAVAILABLE);
      broken.set(false);
      HostScene.untilSucceeded(scene, scene.accept(runtime, definition));
      HostScene.untilState(host, HostHealth.State.HEALTHY);
    }
  }

  @Test
  void readOnlyServer_isLeftForTheOneThatCanBeWritten() {
    DurableRuntime runtime = runtime(scene.database.runtime(), scene.database.dispatcher());
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilState(host, HostHealth.State.HEALTHY);
      setReadOnly("on"); // as after a failover, when the old primary has become a standby
      HostScene.killSessions(scene);
      HostScene.untilState(host, HostHealth.State.UNAVAILABLE);

      setReadOnly("off");
      HostScene.untilState(host, HostHealth.State.HEALTHY);
      HostScene.untilSucceeded(scene, scene.accept(runtime, definition));
    }
  }

  @Test
  void networkThatBreaks_isReconnected() {
    try (WireProxy proxy = scene.database.proxy()) {
      DurableRuntime runtime = runtime(proxy);
      try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
        HostScene.untilState(host, HostHealth.State.HEALTHY);
        WireFault discovery = proxy.cut(WirePoint.before(sql -> sql.contains("discover")));
        WireFault heartbeat = proxy.cut(WirePoint.after("LISTEN durable_work"));
        HostScene.until(() -> discovery.isReached() && heartbeat.isReached());

        HostScene.untilSucceeded(scene, scene.accept(direct(), definition));
        HostScene.untilState(host, HostHealth.State.HEALTHY);
      }
    }
  }

  /** The server's answer never comes and nobody resets the connection. */
  @Test
  void halfOpenConnection_isGivenUpAfterABound() {
    try (WireProxy proxy = scene.database.proxy()) {
      DurableRuntime runtime = runtime(proxy);
      try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
        HostScene.untilState(host, HostHealth.State.HEALTHY);
        try (WireFault silence = proxy.hold(WirePoint.after(sql -> sql.contains("discover")))) {
          silence.awaitReached();
          HostScene.untilSucceeded(scene, scene.accept(direct(), definition));
        }
        HostScene.untilState(host, HostHealth.State.HEALTHY);
      }
    }
  }

  private void assertRunsAfter(WorkerHost host, Runnable loss) {
    HostScene.untilState(host, HostHealth.State.HEALTHY);
    loss.run();
    HostScene.untilSucceeded(scene, scene.accept(direct(), definition));
    HostScene.untilState(host, HostHealth.State.HEALTHY);
    assertThat(host.health().problem()).isEmpty();
  }

  /** Accepts without the host's connections. */
  private DurableRuntime direct() {
    return runtime(scene.database.runtime(), scene.database.dispatcher());
  }

  private DurableRuntime runtime(WireProxy proxy) {
    return runtime(
        scene.database.through(proxy, DurableDatabase.RUNTIME),
        scene.database.through(proxy, DurableDatabase.DISPATCHER));
  }

  private DurableRuntime runtime(DataSource runtime, DataSource dispatcher) {
    return scene
        .builder()
        .runtimeDataSource(runtime)
        .dispatcherDataSource(dispatcher)
        .register(definition, HostScene.succeeding())
        .build();
  }

  private void setReadOnly(String value) {
    scene.database.execute(
        "BEGIN READ WRITE; ALTER DATABASE %s SET default_transaction_read_only = %s; COMMIT"
            .formatted(scene.database.name(), value));
  }

  private HikariDataSource pool(String role, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(scene.database.jdbcUrl());
    config.setUsername(role);
    config.setPassword(DurableDatabase.PASSWORD);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }
}
