package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.fixture.ManyWorks;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * While a new version of a contract is rolled out, workers that know it and workers that do not run
 * side by side on one store.
 */
@Timeout(60)
class RollingDeploymentTest {

  private static PumpScene scene;

  /** Which worker's executor, of which version, ran each Work last. */
  private final Map<WorkId, String> ran = new ConcurrentHashMap<>();

  private WorkDefinition<String, String> first;
  private WorkDefinition<String, String> second;
  private DurableRuntime oldWorker;
  private DurableRuntime newWorker;

  @BeforeAll
  static void open() {
    scene = new PumpScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @BeforeEach
  void deploy() {
    first = PumpScene.definition(ProviderSafety.PROVIDER_KEYED);
    second =
        WorkDefinition.named(first.name(), "v2")
            .payload(PayloadCodecs.text())
            .result(PayloadCodecs.text())
            .providerSafety(ProviderSafety.PROVIDER_KEYED)
            .build();
    oldWorker = scene.builder().register(first, executors("old worker, v1")).build();
    newWorker =
        scene
            .builder()
            .register(first, executors("new worker, v1"))
            .register(second, executors("new worker, v2"))
            .build();
  }

  @Test
  void oldWorker_isNotEvenShownWorkOfTheNewVersion() {
    WorkId work = scene.accept(newWorker, second);

    PumpResult result = oldWorker.pump().runOnce(PumpPass.of(8));

    assertThat(result).isEqualTo(new PumpResult(0, 0, 0, 0, 0, 0, 0, 0, Optional.empty()));
    assertThat(scene.state(work)).isEqualTo("ready");
    assertThat(scene.history(work)).isEqualTo("accepted");
    assertThat(scene.isDispatched(work)).isTrue();
  }

  @Test
  void newWorker_runsBothVersions_eachByItsOwnExecutor() {
    WorkId older = scene.accept(oldWorker, first);
    WorkId newer = scene.accept(newWorker, second);

    assertThat(newWorker.pump().runOnce(PumpPass.of(8)).succeeded()).isEqualTo(2);

    assertThat(ran).isEqualTo(Map.of(older, "new worker, v1", newer, "new worker, v2"));
  }

  @Test
  void bothWorkers_sideBySide_leaveNothing() {
    try (WorkerHost old = oldWorker.startHost(HostScene.quick().build());
        WorkerHost replacement = newWorker.startHost(HostScene.quick().build())) {
      for (int i = 0; i < 20; i++) {
        WorkId older = scene.accept(newWorker, first);
        WorkId newer = scene.accept(newWorker, second);
        HostScene.untilSucceeded(scene, older);
        HostScene.untilSucceeded(scene, newer);
        assertThat(ran.get(older)).endsWith("v1");
        assertThat(ran.get(newer)).isEqualTo("new worker, v2");
      }
      assertThat(old.health().state()).isEqualTo(HostHealth.State.HEALTHY);
      assertThat(replacement.health().state()).isEqualTo(HostHealth.State.HEALTHY);
    }
  }

  /** What the old worker began and could not finish before it went. */
  @Test
  void workThatTheOldWorkerBegan_isFinishedByTheNewOne() {
    DurableRuntime failing =
        scene
            .builder()
            .register(
                first, invocation -> (work, cancellation) -> WorkExit.retryBeforeEffect("stopping"))
            .build();
    WorkId work = scene.accept(failing, first);
    assertThat(failing.pump().runOnce(PumpPass.of(1)).retried()).isEqualTo(1);

    Awaitility.await().until(() -> newWorker.pump().runOnce(PumpPass.of(1)).succeeded() == 1);

    assertThat(ran).isEqualTo(Map.of(work, "new worker, v1"));
    assertThat(scene.permits(work)).isEqualTo("no_effect applied");
  }

  @Test
  void floodOfOneVersion_doesNotHideTheOther() {
    ManyWorks.insertReady(
        scene.database, first.name(), 500, "'flood'", 9, "now() - interval '1 hour'");
    WorkId newer = scene.accept(newWorker, second);

    newWorker.pump().runOnce(PumpPass.of(16));

    assertThat(scene.state(newer)).isEqualTo("succeeded");
  }

  private WorkExecutorFactory<String, String> executors(String name) {
    return invocation ->
        (work, cancellation) -> {
          ran.put(work.workId(), name);
          return WorkExit.succeeded("sent");
        };
  }
}
