package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.GatedConnections;
import dev.handofffence.work.WorkDefinition;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a host says about itself, and that it gets over everything that can be got over. */
@Timeout(60)
class HostHealthTest {

  private final PumpScene scene = new PumpScene();
  private final WorkDefinition<String, String> definition = HostScene.keyed();
  private final GatedConnections connections =
      new GatedConnections(scene.database.runtime(), name -> true);

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void host_isNotStartedUntilItIsRegisteredAndHasLooked() {
    connections.hold();
    try (WorkerHost host = runtime().startHost(HostScene.quick().build())) {
      assertThat(host.health().state()).isEqualTo(HostHealth.State.NOT_STARTED);
      connections.open();
      HostScene.untilState(host, HostHealth.State.HEALTHY);
      assertThat(host.health().problem()).isEmpty();
      assertThat(host.health().observed()).isEmpty();
    }
  }

  @Test
  void hostWhosePassHangs_isStale() {
    GatedConnections dispatcher = new GatedConnections(scene.database.dispatcher(), name -> true);
    dispatcher.hold();
    DurableRuntime runtime =
        scene
            .builder()
            .dispatcherDataSource(dispatcher)
            .register(definition, HostScene.succeeding())
            .build();
    try (WorkerHost host =
        runtime.startHost(HostScene.quick().staleAfter(Duration.ofMillis(300)).build())) {
      HostScene.untilState(host, HostHealth.State.STALE);
      assertThat(host.health().problem()).contains(Problem.ACTIVATOR_STALE);

      dispatcher.open();
      HostScene.untilState(host, HostHealth.State.HEALTHY);
    }
  }

  @Test
  void idleHost_isNotStaleHoweverLongItsPausesAre() {
    HostOptions lazy =
        HostScene.quick()
            .polling(HostScene.NEVER, HostScene.NEVER)
            .staleAfter(Duration.ofMillis(100))
            .build();
    try (WorkerHost host = runtime().startHost(lazy)) {
      HostScene.untilState(host, HostHealth.State.HEALTHY);
      String heartbeat = heartbeat();
      HostScene.until(() -> !heartbeat().equals(heartbeat)); // longer than the bound

      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  @Test
  void poolWithoutAConnection_isUnavailableUntilItHasOne() {
    connections.refuseWith(new SQLTransientConnectionException("request timed out"));
    assertUnavailableUntilOpen();
  }

  @Test
  void poolThatThrowsItsOwnException_isUnavailableUntilItHasAConnection() {
    connections.refuseWith(new SQLException("starting up", "57P03"));
    assertUnavailableUntilOpen();
  }

  @Test
  void wrongPasswordOfTheRuntime_isSaid() {
    connections.refuseWith(new SQLException("server text", "28P01"));
    assertSaysWrongPassword(runtime());
  }

  @Test
  void wrongPasswordOfTheDispatcher_isSaid() {
    GatedConnections dispatcher = new GatedConnections(scene.database.dispatcher(), name -> true);
    dispatcher.refuseWith(new SQLException("server text", "28P01"));
    assertSaysWrongPassword(
        scene
            .builder()
            .dispatcherDataSource(dispatcher)
            .register(definition, HostScene.succeeding())
            .build());
  }

  private static void assertSaysWrongPassword(DurableRuntime runtime) {
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilState(host, HostHealth.State.UNAVAILABLE);

      HostHealth health = host.health();
      assertThat(health.problem()).contains(Problem.STORE_UNAVAILABLE);
      assertThat(health.observed()).contains("SQLSTATE 28P01, the password or the role is wrong");
      assertThat(health.toString()).doesNotContain("server text");
    }
  }

  private void assertUnavailableUntilOpen() {
    DurableRuntime runtime = runtime();
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilState(host, HostHealth.State.UNAVAILABLE);
      assertThat(host.health().problem()).contains(Problem.STORE_UNAVAILABLE);
      connections.open();
      HostScene.untilState(host, HostHealth.State.HEALTHY);
      HostScene.untilSucceeded(scene, scene.accept(runtime, definition));
    }
  }

  @Test
  void rotatedEpoch_makesTheHostIncompatibleAndOneOfTheNewEpochGoesOn() {
    DurableRuntime old = runtime();
    UUID next = UUID.randomUUID();
    DurableRuntime fresh =
        scene
            .builder()
            .store(StoreIdentity.of(scene.database.store().storeId(), next))
            .register(definition, HostScene.succeeding())
            .build();
    try (WorkerHost host = old.startHost(HostScene.quick().build())) {
      HostScene.untilState(host, HostHealth.State.HEALTHY);

      rotateTo(next);

      HostScene.untilState(host, HostHealth.State.INCOMPATIBLE);
      assertThat(host.health().problem()).contains(Problem.EPOCH_MISMATCH);
      WorkId work = scene.accept(fresh, definition);
      try (WorkerHost successor = fresh.startHost(HostScene.quick().build())) {
        HostScene.untilSucceeded(scene, work);
        assertThat(successor.health().isHealthy()).isTrue();
      }
      assertThat(host.health().problem()).contains(Problem.EPOCH_MISMATCH);
    }
  }

  /** So that a rotation needs no gap between the hosts of both epochs. */
  @Test
  void hostOfTheNextEpoch_waitsForItsRotation() {
    UUID next = UUID.randomUUID();
    DurableRuntime runtime =
        scene
            .builder()
            .store(StoreIdentity.of(scene.database.store().storeId(), next))
            .register(definition, HostScene.succeeding())
            .build();
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilState(host, HostHealth.State.INCOMPATIBLE);

      rotateTo(next);

      HostScene.untilState(host, HostHealth.State.HEALTHY);
      HostScene.untilSucceeded(scene, scene.accept(runtime, definition));
    }
  }

  @Test
  void hostOfAnOtherStore_isIncompatible() {
    StoreIdentity other = StoreIdentity.of(UUID.randomUUID(), scene.database.store().epoch());
    DurableRuntime runtime =
        scene.builder().store(other).register(definition, HostScene.succeeding()).build();
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilState(host, HostHealth.State.INCOMPATIBLE);
      assertThat(host.health().problem()).contains(Problem.STORE_MISMATCH);
      assertThat(scene.database.ask("SELECT count(*) FROM durable.worker")).isEqualTo("0");
    }
  }

  @Test
  void missingSchema_isIncompatibleUntilItIsThere() {
    scene.database.execute("ALTER SCHEMA durable RENAME TO elsewhere");
    try (WorkerHost host = runtime().startHost(HostScene.quick().build())) {
      HostScene.untilState(host, HostHealth.State.INCOMPATIBLE);
      assertThat(host.health().problem()).contains(Problem.SCHEMA_MISSING);

      scene.database.execute("ALTER SCHEMA elsewhere RENAME TO durable");
      HostScene.untilState(host, HostHealth.State.HEALTHY);
    }
  }

  @Test
  void secondWorkerWithTheSameId_waitsUntilTheFirstHasStopped() {
    UUID id = UUID.randomUUID();
    WorkerHost first = runtimeOf(id).startHost(HostScene.quick().build());
    HostScene.untilState(first, HostHealth.State.HEALTHY);

    try (WorkerHost second = runtimeOf(id).startHost(HostScene.quick().build())) {
      HostScene.untilState(second, HostHealth.State.INCOMPATIBLE);
      assertThat(second.health().problem()).contains(Problem.WORKER_IDENTITY_CONFLICT);
      assertThat(first.health().isHealthy()).isTrue();

      first.close();
      HostScene.untilState(second, HostHealth.State.HEALTHY);
    }
  }

  @Test
  void workerThatDied_isReplacedWhenItHasMissedItsReports() {
    UUID id = UUID.randomUUID();
    scene.database.execute(
        "INSERT INTO durable.worker (worker_id, incarnation, display_name, epoch, heartbeat_at, drain_requested_at) VALUES ('%s', gen_random_uuid(), 'killed', gen_random_uuid(), clock_timestamp() - interval '300 ms', now())"
            .formatted(id));

    try (WorkerHost host =
        runtimeOf(id).startHost(HostScene.quick().displayName("successor").build())) {
      HostScene.untilState(host, HostHealth.State.HEALTHY);
      assertThat(
              scene.database.ask(
                  "SELECT display_name || ' ' || (epoch = '%s') || ' ' || (started_at > heartbeat_at - interval '1 hour') FROM durable.worker"
                      .formatted(scene.database.store().epoch())))
          .isEqualTo("successor true true");
    }
  }

  @Test
  void workerWhoseIdWasTakenOver_stopsClaiming() {
    UUID id = UUID.randomUUID();
    DurableRuntime runtime = runtimeOf(id);
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilState(host, HostHealth.State.HEALTHY);
      scene.database.execute(
          "UPDATE durable.worker SET incarnation = gen_random_uuid(), heartbeat_at = clock_timestamp() + interval '1 hour'");
      HostScene.untilState(host, HostHealth.State.INCOMPATIBLE);

      WorkId work = scene.accept(runtime, definition);
      scene.database.execute("UPDATE durable.worker SET heartbeat_at = clock_timestamp()");
      assertThat(scene.state(work)).isEqualTo("ready");

      HostScene.untilSucceeded(scene, work); // the other one has missed its reports
    }
  }

  private String heartbeat() {
    return scene.database.ask("SELECT heartbeat_at FROM durable.worker");
  }

  private void rotateTo(UUID next) {
    StoreAdministration.of(scene.database.owner())
        .rotateEpoch(
            scene.database.store().epoch(), EpochChange.of(next, "deployer", "after a restore"))
        .orElseThrow();
  }

  private DurableRuntime runtimeOf(UUID id) {
    return scene.builder().workerId(id).register(definition, HostScene.succeeding()).build();
  }

  private DurableRuntime runtime() {
    return scene
        .builder()
        .runtimeDataSource(connections)
        .register(definition, HostScene.succeeding())
        .build();
  }
}
