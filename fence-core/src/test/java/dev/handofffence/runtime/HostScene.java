package dev.handofffence.runtime;

import dev.handofffence.CancellationToken;
import dev.handofffence.WorkId;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;

/** What tests of the worker host have in common. */
final class HostScene {

  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** So slow that whatever happens in time was not found by polling. */
  static final Duration NEVER = Duration.ofHours(1);

  private HostScene() {}

  /** Options of a host that notices everything soon. */
  static HostOptions.Builder quick() {
    return HostOptions.builder()
        .polling(Duration.ofMillis(5), Duration.ofMillis(50))
        .heartbeat(Duration.ofMillis(200))
        .drainTimeout(PATIENCE);
  }

  static WorkDefinition<String, String> keyed() {
    return PumpScene.definition(ProviderSafety.PROVIDER_KEYED);
  }

  static WorkExecutorFactory<String, String> succeeding() {
    return invocation -> (work, cancellation) -> WorkExit.succeeded("sent");
  }

  /** Executors that say when they run and end when they may, or when their token fires. */
  static final class Held {

    final CountDownLatch running = new CountDownLatch(1);
    final CountDownLatch mayEnd = new CountDownLatch(1);

    WorkExecutorFactory<String, String> executors() {
      return invocation ->
          (work, cancellation) -> {
            CancellationToken.Registration registration = cancellation.onCancel(mayEnd::countDown);
            running.countDown();
            mayEnd.await();
            registration.close();
            return cancellation.isCancelled()
                ? WorkExit.retryBeforeEffect("stopped")
                : WorkExit.succeeded("sent");
          };
    }

    /** The same, but deaf to its token. */
    WorkExecutorFactory<String, String> deafExecutors() {
      return invocation ->
          (work, cancellation) -> {
            running.countDown();
            mayEnd.await();
            return WorkExit.succeeded("sent");
          };
    }
  }

  static void until(Callable<Boolean> condition) {
    Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition);
  }

  static void untilState(WorkerHost host, HostHealth.State state) {
    until(() -> host.health().state() == state);
  }

  static void untilSucceeded(PumpScene scene, WorkId work) {
    until(() -> scene.state(work).equals("succeeded"));
  }

  /** Returns when acceptance would notify. */
  static void untilIdle(PumpScene scene) {
    until(() -> isTrue(scene, "SELECT count(*) > 0 FROM durable.worker WHERE idle_until > now()"));
  }

  static boolean isTrue(PumpScene scene, String question) {
    return scene.database.ask(question).equals("t");
  }

  /** Ends every session of the runtime and the dispatcher, as an administrator does: 57P01. */
  static void killSessions(PumpScene scene) {
    scene.database.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND usename IN ('fence_it_runtime', 'fence_it_dispatcher')");
  }
}
