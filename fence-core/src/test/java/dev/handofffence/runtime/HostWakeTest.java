package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.fixture.GatedConnections;
import dev.handofffence.work.WorkDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Proof 33: notifications shorten the wait and are needed for nothing. */
@Timeout(60)
class HostWakeTest {

  private static final String LISTENERS =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND btrim(query, E'\\n') = 'LISTEN durable_work'";

  private final PumpScene scene = new PumpScene();
  private final WorkDefinition<String, String> definition = HostScene.keyed();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void notification_wakesAHostThatWouldNotLookForAnHour() {
    DurableRuntime runtime = scene.runtime(definition, HostScene.succeeding());

    try (WorkerHost host = runtime.startHost(lazy().build())) {
      for (int i = 0; i < 3; i++) {
        HostScene.untilIdle(scene);
        HostScene.untilSucceeded(scene, scene.accept(runtime, definition));
      }
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  @Test
  void notification_comesFromTheCallersCommit() throws SQLException {
    DurableRuntime runtime = scene.runtime(definition, HostScene.succeeding());

    try (WorkerHost host = runtime.startHost(lazy().build());
        Connection caller = scene.database.runtime().getConnection()) {
      HostScene.untilIdle(scene);
      caller.setAutoCommit(false);
      WorkId work =
          runtime
              .work()
              .accept(caller, PumpScene.request(definition, PumpScene.TENANT))
              .orElseThrow()
              .workId();
      caller.commit();

      HostScene.untilSucceeded(scene, work);
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  @Test
  void acceptance_notifiesOnlyAnIdleHostOfWhatIsDue() throws SQLException {
    DurableRuntime runtime = scene.runtime(definition, HostScene.succeeding());
    DurableRuntime silent =
        scene.builder().register(definition, HostScene.succeeding()).wakesHosts(false).build();

    try (Connection listener = scene.database.superuser().getConnection()) {
      listener.createStatement().execute("LISTEN durable_work");
      scene.accept(runtime, definition);
      assertThat(notifications(listener)).as("no host").isEmpty();

      scene.database.execute(
          """
          INSERT INTO durable.worker (worker_id, incarnation, display_name, epoch, idle_until)
          VALUES (gen_random_uuid(), gen_random_uuid(), 'gone', gen_random_uuid(), now() - interval '1 second'),
                 (gen_random_uuid(), gen_random_uuid(), 'busy', gen_random_uuid(), NULL)
          """);
      scene.accept(runtime, definition);
      assertThat(notifications(listener)).as("no idle host").isEmpty();

      scene.database.execute("UPDATE durable.worker SET idle_until = now() + interval '1 hour'");
      scene.accept(silent, definition);
      assertThat(notifications(listener)).as("not wanted").isEmpty();
      scene.accept(runtime, definition, request -> request.withDelay(Duration.ofHours(1)));
      assertThat(notifications(listener)).as("not due").isEmpty();

      scene.accept(runtime, definition);
      assertThat(notifications(listener))
          .extracting(PGNotification::getParameter)
          .containsExactly("");
    }
  }

  @Test
  void lostListener_leavesPollingAndComesBack() {
    GatedConnections connections =
        new GatedConnections(scene.database.runtime(), name -> name.contains("presence"));
    DurableRuntime runtime =
        scene
            .builder()
            .runtimeDataSource(connections)
            .register(definition, HostScene.succeeding())
            .build();

    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.until(() -> scene.database.ask(LISTENERS).equals("1"));
      connections.refuseWith(new SQLException("no more", "08006"));
      killListener();
      HostScene.untilState(host, HostHealth.State.UNAVAILABLE);

      HostScene.untilSucceeded(scene, scene.accept(runtime, definition));
      assertThat(scene.database.ask(LISTENERS)).isEqualTo("0");

      connections.open();
      HostScene.until(() -> scene.database.ask(LISTENERS).equals("1"));
      HostScene.untilState(host, HostHealth.State.HEALTHY);
    }
  }

  @Test
  void lostListener_doesNotLoseWhatWasAcceptedMeanwhile() {
    GatedConnections connections =
        new GatedConnections(scene.database.runtime(), name -> name.contains("presence"));
    DurableRuntime runtime =
        scene
            .builder()
            .runtimeDataSource(connections)
            .register(definition, HostScene.succeeding())
            .build();

    try (WorkerHost host = runtime.startHost(lazy().build())) {
      HostScene.untilIdle(scene);
      connections.refuseWith(new SQLException("no more", "08006"));
      killListener();
      HostScene.untilState(host, HostHealth.State.UNAVAILABLE);
      WorkId work = scene.accept(runtime, definition);
      connections.open();

      HostScene.untilSucceeded(scene, work);
    }
  }

  @Test
  void hostThatDoesNotListen_polls() {
    DurableRuntime runtime = scene.runtime(definition, HostScene.succeeding());

    try (WorkerHost host = runtime.startHost(HostScene.quick().listens(false).build())) {
      HostScene.untilState(host, HostHealth.State.HEALTHY);
      HostScene.untilSucceeded(scene, scene.accept(runtime, definition));
      assertThat(scene.database.ask(LISTENERS)).isEqualTo("0");
      assertThat(scene.database.ask("SELECT count(idle_until) FROM durable.worker")).isEqualTo("0");
    }
  }

  /** Looks a few times while it is new, and then for an hour no more. */
  private static HostOptions.Builder lazy() {
    return HostScene.quick().polling(HostScene.NEVER, HostScene.NEVER);
  }

  /** Again when it is just reporting: its session shows another statement then. */
  private void killListener() {
    HostScene.until(
        () ->
            HostScene.isTrue(
                scene,
                "SELECT coalesce(bool_or(pg_terminate_backend(pid, 10000)), false) FROM pg_stat_activity WHERE datname = current_database() AND btrim(query, E'\\n') = 'LISTEN durable_work'"));
  }

  private static PGNotification[] notifications(Connection listener) throws SQLException {
    listener.createStatement().execute("SELECT 1"); // what has been sent comes with the answer
    return listener.unwrap(PGConnection.class).getNotifications();
  }
}
