package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.WorkId;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A host runs Work as long as it lives, and no attempt holds up others. */
@Timeout(60)
class HostRunTest {

  private final PumpScene scene = new PumpScene();
  private final WorkDefinition<String, String> definition = HostScene.keyed();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void host_runsWhatWasAcceptedBeforeAndWhatComesLater() {
    DurableRuntime runtime = scene.runtime(definition, HostScene.succeeding());
    WorkId before = scene.accept(runtime, definition);

    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilSucceeded(scene, before);
      List<WorkId> later =
          IntStream.range(0, 50).mapToObj(i -> scene.accept(runtime, definition)).toList();
      later.forEach(work -> HostScene.untilSucceeded(scene, work));
      assertThat(host.health().isHealthy()).isTrue();
    }
  }

  @Test
  void host_triesAgainWhenARetryIsDue() {
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation ->
                (work, cancellation) ->
                    work.attempt() < 3
                        ? WorkExit.retryBeforeEffect("busy")
                        : WorkExit.succeeded("sent"));
    WorkId work = scene.accept(runtime, definition);

    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilSucceeded(scene, work);
      assertThat(host.health().isHealthy()).isTrue();
    }
    assertThat(scene.history(work)).contains("retry_scheduled:busy");
  }

  @Test
  void slowAttempt_doesNotHoldUpOthers() {
    HostScene.Held held = new HostScene.Held();
    WorkDefinition<String, String> slow = HostScene.keyed();
    DurableRuntime runtime =
        scene
            .builder()
            .register(definition, HostScene.succeeding())
            .register(slow, held.executors())
            .build();
    WorkId running = scene.accept(runtime, slow);

    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.until(() -> held.running.getCount() == 0);
      HostScene.untilSucceeded(scene, scene.accept(runtime, definition));
      HostScene.until(() -> host.health().running() == 1); // its attempt ends after its row
      held.mayEnd.countDown();
      HostScene.untilSucceeded(scene, running);
      HostScene.until(() -> host.health().running() == 0);
    }
  }

  @Test
  void secondHost_ofOneRuntimeIsRefusedUntilTheFirstHasStopped() {
    DurableRuntime runtime = scene.runtime(definition, HostScene.succeeding());
    WorkerHost first = runtime.startHost(HostScene.quick().build());

    assertThatThrownBy(runtime::startHost)
        .isInstanceOf(DurableException.class)
        .hasMessageContaining(Problem.WORKER_IDENTITY_CONFLICT.code());
    first.close();

    try (WorkerHost second = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilState(second, HostHealth.State.HEALTHY);
    }
  }

  static Stream<HostOptions.Builder> wrongOptions() {
    return Stream.of(
        HostOptions.builder().displayName(""),
        HostOptions.builder().displayName("x".repeat(201)),
        HostOptions.builder().polling(Duration.ZERO, Duration.ofSeconds(1)),
        HostOptions.builder().polling(Duration.ofSeconds(2), Duration.ofSeconds(1)),
        HostOptions.builder().polling(Duration.ofSeconds(2), Duration.ofHours(2)),
        HostOptions.builder().heartbeat(Duration.ofMillis(99)),
        HostOptions.builder().staleAfter(Duration.ZERO),
        HostOptions.builder().drainTimeout(Duration.ofMillis(-1)),
        HostOptions.builder().stopTimeout(Duration.ofDays(2)));
  }

  @ParameterizedTest
  @MethodSource("wrongOptions")
  void optionOutOfRange_isRefusedByName(HostOptions.Builder options) {
    assertThatThrownBy(options::build)
        .isInstanceOf(DurableException.class)
        .hasMessageContaining(Problem.INVALID_REQUEST.code())
        .hasMessageContaining("allowed are");
  }
}
