package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.GatedConnections;
import dev.handofffence.work.WorkDefinition;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ways to stop a host, none of which can hang. */
@Timeout(60)
class HostStopTest {

  private static final Duration SHORT = Duration.ofMillis(100);

  private final PumpScene scene = new PumpScene();
  private final WorkDefinition<String, String> definition = HostScene.keyed();
  private final HostScene.Held held = new HostScene.Held();
  private final GatedConnections connections =
      new GatedConnections(scene.database.runtime(), name -> true);

  @AfterEach
  void close() {
    held.mayEnd.countDown();
    connections.open();
    HostScene.until(
        () ->
            HostScene.isTrue(
                scene,
                "SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"));
    scene.close();
  }

  @Test
  void drain_letsRunningAttemptsEndAndTakesNoMore() {
    DurableRuntime runtime = runtime();
    WorkId running = scene.accept(runtime, definition);
    WorkerHost host = startRunning(runtime);

    assertThat(host.drain(SHORT)).isFalse();
    assertThat(host.health().state()).isEqualTo(HostHealth.State.DRAINING);
    WorkId late = scene.accept(runtime, definition);
    held.mayEnd.countDown();

    assertThat(host.drain(HostScene.PATIENCE)).isTrue();
    assertThat(host.health()).isEqualTo(stopped());
    assertThat(scene.state(running)).isEqualTo("succeeded");
    assertThat(scene.state(late)).isEqualTo("ready");
    assertThat(
            scene.database.ask(
                "SELECT stopped_at IS NOT NULL AND idle_until IS NULL FROM durable.worker"))
        .isEqualTo("t");
  }

  @Test
  void stopNow_firesTheTokens() {
    DurableRuntime runtime = runtime();
    WorkId work = scene.accept(runtime, definition);
    WorkerHost host = startRunning(runtime);

    assertThat(host.stopNow(HostScene.PATIENCE)).isTrue();

    assertThat(scene.history(work)).endsWith("retry_scheduled:stopped");
    assertThat(host.health()).isEqualTo(stopped());
  }

  @Test
  void stopNow_abandonsAnAttemptThatIsDeafToItsToken() {
    DurableRuntime runtime = scene.builder().register(definition, held.deafExecutors()).build();
    WorkId work = scene.accept(runtime, definition);
    WorkerHost host = startRunning(runtime);

    assertThat(host.stopNow(SHORT)).isFalse();

    HostScene.untilState(host, HostHealth.State.STOPPED);
    assertThat(host.health().running()).isEqualTo(1);
    held.mayEnd.countDown();
    assertThat(scene.state(work)).isEqualTo("permitted"); // recovery decides when its lease is over
  }

  @Test
  void close_drainsFirstAndThenStopsNow() {
    DurableRuntime runtime = runtime();
    WorkId work = scene.accept(runtime, definition);
    WorkerHost host = runtime.startHost(HostScene.quick().drainTimeout(SHORT).build());
    HostScene.until(() -> held.running.getCount() == 0);

    host.close();
    host.close();

    assertThat(scene.history(work)).endsWith("retry_scheduled:stopped");
    assertThat(host.health()).isEqualTo(stopped());
  }

  @Test
  void close_keepsAnInterruptAndIsNotCutShortByIt() {
    DurableRuntime runtime = runtime();
    WorkId work = scene.accept(runtime, definition);
    WorkerHost host = startRunning(runtime);
    CompletableFuture<Boolean> interrupted =
        Background.supply(
            () -> {
              Thread.currentThread().interrupt();
              host.close();
              return Thread.interrupted();
            });
    HostScene.untilState(host, HostHealth.State.DRAINING);
    held.mayEnd.countDown();

    assertThat(interrupted.join()).isTrue();
    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  @Test
  void close_doesNotWaitForADataSourceThatHangs() {
    connections.hold();
    WorkerHost host =
        runtime()
            .startHost(HostScene.quick().drainTimeout(SHORT).stopTimeout(Duration.ZERO).build());

    host.close(); // the timeout of the test is the assertion

    assertThat(host.health().state()).isNotEqualTo(HostHealth.State.HEALTHY);
    connections.open();
    HostScene.untilState(host, HostHealth.State.STOPPED);
  }

  @Test
  void drainRequestInTheTable_stopsClaimingUntilItIsTakenBack() {
    DurableRuntime runtime = scene.builder().register(definition, HostScene.succeeding()).build();
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilState(host, HostHealth.State.HEALTHY);
      scene.database.execute("UPDATE durable.worker SET drain_requested_at = clock_timestamp()");
      HostScene.untilState(host, HostHealth.State.DRAINING);
      WorkId work = scene.accept(runtime, definition);
      String heartbeat = heartbeat();
      HostScene.until(() -> !heartbeat().equals(heartbeat)); // it lives, and has looked again
      assertThat(scene.state(work)).isEqualTo("ready");

      scene.database.execute("UPDATE durable.worker SET drain_requested_at = NULL");

      HostScene.untilSucceeded(scene, work);
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  private String heartbeat() {
    return scene.database.ask("SELECT heartbeat_at FROM durable.worker");
  }

  private DurableRuntime runtime() {
    return scene
        .builder()
        .runtimeDataSource(connections)
        .register(definition, held.executors())
        .build();
  }

  private WorkerHost startRunning(DurableRuntime runtime) {
    WorkerHost host = runtime.startHost(HostScene.quick().build());
    HostScene.until(() -> held.running.getCount() == 0);
    return host;
  }

  private static HostHealth stopped() {
    return new HostHealth(HostHealth.State.STOPPED, Optional.empty(), Optional.empty(), 0);
  }
}
