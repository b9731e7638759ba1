package dev.handofffence.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.HostHealth.State;
import dev.handofffence.runtime.WorkerHost;
import dev.handofffence.runtime.WorkerView;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkExit;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator sees and asks of workers. */
class WorkersTest {

  private final OperatorScene scene = new OperatorScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void worker_isListedDrainedAndResumed() {
    DurableRuntime runtime =
        scene.runtime(
            OperatorScene.definition(ProviderSafety.PROVIDER_KEYED, OperatorScene.MUCH_LATER),
            invocation -> (work, token) -> WorkExit.succeeded("sent"));
    try (WorkerHost host = runtime.startHost()) {
      await(host, State.HEALTHY);
      WorkerView worker = scene.operator().workers(10).get(0);
      assertThat(worker.epoch()).isEqualTo(scene.store().epoch());
      assertThat(worker.drainRequestedAt()).isEmpty();
      assertThat(worker.sinceHeartbeat()).isLessThan(Duration.ofMinutes(1));

      assertThat(scene.operator().drain(worker.workerId())).isTrue();
      await(host, State.DRAINING);
      assertThat(scene.operator().workers(10).get(0).drainRequestedAt()).isPresent();

      assertThat(scene.operator().resume(worker.workerId())).isTrue();
      await(host, State.HEALTHY);
    }
    assertThat(scene.operator().workers(10).get(0).stoppedAt()).isPresent();
  }

  @Test
  void unknownWorker_isTold() {
    assertThat(scene.operator().drain(UUID.randomUUID())).isFalse();
    assertThat(scene.operator().workers(10)).isEmpty();
  }

  private static void await(WorkerHost host, State state) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> host.health().state() == state);
  }
}
