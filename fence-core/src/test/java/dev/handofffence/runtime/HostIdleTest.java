package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.testing.WireFault;
import dev.handofffence.testing.WirePoint;
import dev.handofffence.testing.WireProxy;
import dev.handofffence.work.WorkDefinition;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a host asks acceptance to notify it, and when it takes that back. */
@Timeout(60)
class HostIdleTest {

  private static final String IS_IDLE = "SELECT bool_and(idle_until > now()) FROM durable.worker";
  private static final String IS_BUSY = "SELECT bool_and(idle_until IS NULL) FROM durable.worker";

  private final PumpScene scene = new PumpScene();
  private final WorkDefinition<String, String> definition = HostScene.keyed();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void hostThatSawNothingOnce_isIdle() {
    try (WireProxy proxy = scene.database.proxy()) {
      WireFault first = proxy.hold(look());
      HostOptions eager =
          HostScene.quick().polling(Duration.ofMillis(1), Duration.ofSeconds(2)).build();
      try (WorkerHost host = through(proxy).startHost(eager)) {
        first.awaitReached();
        WireFault second = proxy.hold(look());
        first.release();
        second.awaitReached();

        assertThat(scene.database.ask(IS_IDLE)).isEqualTo("t");

        second.release();
        HostScene.untilState(host, HostHealth.State.HEALTHY);
      }
    }
  }

  @Test
  void workAcceptedBetweenTheLookAndTheMark_isFoundAtOnce() {
    try (WireProxy proxy = scene.database.proxy();
        WorkerHost host = through(proxy).startHost(lazy().build())) {
      HostScene.untilIdle(scene);
      requestDrain("now()");
      HostScene.until(() -> scene.database.ask(IS_BUSY).equals("t"));
      WireFault mark = proxy.hold(WirePoint.before(HostIdleTest::setsTheMark));
      requestDrain("NULL");
      mark.awaitReached();
      WorkId work = scene.accept(direct(), definition);
      mark.release();

      HostScene.untilSucceeded(scene, work);
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  @Test
  void idleHost_doesNotSayItTwice() {
    IdleMarks marks = new IdleMarks(scene);
    DurableRuntime runtime = direct();

    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilIdle(scene);
      for (int i = 0; i < 3; i++) {
        HostScene.untilSucceeded(scene, scene.accept(runtime, definition));
      }
      String heartbeat = heartbeat();
      HostScene.until(() -> !heartbeat().equals(heartbeat));

      assertThat(marks.all()).startsWith("idle").doesNotContain("idle idle");
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  @Test
  void idleHost_remainsSoByItsHeartbeats() {
    try (WorkerHost host = direct().startHost(lazy().build())) {
      HostScene.untilIdle(scene);
      String until = scene.database.ask("SELECT max(idle_until) FROM durable.worker");

      HostScene.until(
          () ->
              HostScene.isTrue(
                  scene,
                  "SELECT bool_and(idle_until > '%s') FROM durable.worker".formatted(until)));
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  @Test
  void hostWithoutAFreePlace_isBusyUntilItHasOne() {
    HostScene.Held held = new HostScene.Held();
    DurableRuntime runtime =
        scene.builder().concurrency(1).register(definition, held.executors()).build();

    try (WorkerHost host = runtime.startHost(lazy().build())) {
      HostScene.untilIdle(scene);
      WorkId first = scene.accept(runtime, definition);
      HostScene.until(() -> scene.database.ask(IS_BUSY).equals("t"));
      WorkId second = scene.accept(runtime, definition);
      held.mayEnd.countDown();

      HostScene.untilSucceeded(scene, first);
      HostScene.untilSucceeded(scene, second); // though nobody notified, and it never polls
      HostScene.untilIdle(scene);
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  @Test
  void hostThatIsCalledTooOften_isBusyForAWhile() {
    IdleMarks marks = new IdleMarks(scene);
    try (WorkerHost host = direct().startHost(HostScene.quick().build())) {
      HostScene.untilIdle(scene);
      scene.database.execute(
          "DO $$ BEGIN FOR i IN 1..20 LOOP PERFORM pg_notify('durable_work', i::text); END LOOP; END $$");

      HostScene.until(() -> marks.all().endsWith("busy idle"));
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  /** So that one Work does not wake all hosts again and again. */
  @Test
  void hostThatIsCalledInVain_isBusyForAWhile() {
    IdleMarks marks = new IdleMarks(scene);
    try (WorkerHost host = direct().startHost(lazy().build())) {
      HostScene.untilIdle(scene);

      HostScene.until(
          () -> {
            scene.database.execute("NOTIFY durable_work");
            return marks.all().contains("busy");
          });
      HostScene.until(() -> marks.all().endsWith("busy idle"));
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  @Test
  void drainingHost_isNotNotified() {
    try (WorkerHost host = direct().startHost(lazy().build())) {
      HostScene.untilIdle(scene);
      requestDrain("now()");

      HostScene.until(() -> scene.database.ask(IS_BUSY).equals("t"));
      requestDrain("NULL");
      HostScene.untilIdle(scene);
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  /** Somebody who has the row locked must not keep a host from its Work. */
  @Test
  void lockedRow_holdsUpNoWork() throws Exception {
    DurableRuntime runtime = direct();
    try (WorkerHost host = runtime.startHost(HostScene.quick().build());
        var other = scene.database.superuser().getConnection()) {
      HostScene.untilIdle(scene);
      other.setAutoCommit(false);
      other.createStatement().execute("UPDATE durable.worker SET idle_until = NULL");

      for (int i = 0; i < 3; i++) {
        HostScene.untilSucceeded(scene, scene.accept(runtime, definition));
      }
      other.rollback();
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  /** It polls no sooner than in an hour. */
  private static HostOptions.Builder lazy() {
    return HostScene.quick().polling(HostScene.NEVER, HostScene.NEVER);
  }

  private static WirePoint look() {
    return WirePoint.before(sql -> sql.contains("discover"));
  }

  private static boolean setsTheMark(String sql) {
    return sql.contains("\"idle_until\"") && sql.contains("returning");
  }

  private void requestDrain(String at) {
    scene.database.execute("UPDATE durable.worker SET drain_requested_at = " + at);
  }

  private String heartbeat() {
    return scene.database.ask("SELECT heartbeat_at FROM durable.worker");
  }

  private DurableRuntime direct() {
    return scene.runtime(definition, HostScene.succeeding());
  }

  private DurableRuntime through(WireProxy proxy) {
    return scene
        .builder()
        .runtimeDataSource(scene.database.through(proxy, DurableDatabase.RUNTIME))
        .dispatcherDataSource(scene.database.through(proxy, DurableDatabase.DISPATCHER))
        .register(definition, HostScene.succeeding())
        .build();
  }
}
