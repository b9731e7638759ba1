package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkExecutor;
import dev.handofffence.work.WorkExit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every exit under every provider safety (protocol section 9), from acceptance to the end. */
class PumpExitTest {

  private static PumpScene scene;

  @BeforeAll
  static void open() {
    scene = new PumpScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @Test
  void work_succeedsWithItsResultAndHistory() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.PROVIDER_KEYED);
    List<WorkEnvelope<String>> seen = new CopyOnWriteArrayList<>();
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation ->
                (work, cancellation) -> {
                  seen.add(work);
                  return WorkExit.succeeded("sent");
                });
    WorkId work = scene.accept(runtime, definition);

    PumpResult result = runtime.pump().runOnce(PumpPass.of(32));

    assertThat(result).isEqualTo(new PumpResult(1, 1, 1, 1, 0, 0, 0, 0, Optional.empty()));
    assertThat(seen).extracting(WorkEnvelope::payload).containsExactly("a note");
    assertThat(seen).extracting(WorkEnvelope::attempt).containsExactly(1);
    assertThat(scene.state(work)).isEqualTo("succeeded");
    assertThat(scene.permits(work)).isEqualTo("applied");
    assertThat(scene.history(work)).isEqualTo("accepted claimed permitted succeeded");
    assertThat(scene.isDispatched(work)).isFalse();
    assertThat(
            scene.database.ask(
                "SELECT result_format || ':' || convert_from(result, 'UTF8') FROM durable.work_result WHERE work_id = '%s'"
                    .formatted(work)))
        .isEqualTo("text:sent");
  }

  @ParameterizedTest
  @CsvSource({
    "IDEMPOTENT, RETRY, ready, no_effect, retry_scheduled:busy",
    "PROVIDER_KEYED, RETRY, ready, no_effect, retry_scheduled:busy",
    "RECONCILE_BEFORE_RETRY, RETRY, ready, no_effect, retry_scheduled:busy",
    "MANUAL_RESOLUTION, RETRY, ready, no_effect, retry_scheduled:busy",
    "IDEMPOTENT, FAIL, failed, no_effect, failed:refused",
    "PROVIDER_KEYED, FAIL, failed, no_effect, failed:refused",
    "RECONCILE_BEFORE_RETRY, FAIL, failed, no_effect, failed:refused",
    "MANUAL_RESOLUTION, FAIL, failed, no_effect, failed:refused",
    "IDEMPOTENT, AMBIGUOUS, ready, unresolved, retry_scheduled:lost",
    "PROVIDER_KEYED, AMBIGUOUS, ready, unresolved, retry_scheduled:lost",
    "RECONCILE_BEFORE_RETRY, AMBIGUOUS, suspended/reconciliation_required, unresolved, suspended:lost",
    "MANUAL_RESOLUTION, AMBIGUOUS, suspended/manual_resolution, unresolved, suspended:lost",
    "IDEMPOTENT, THROW, ready, unresolved, retry_scheduled:executor_exception",
    "PROVIDER_KEYED, THROW, ready, unresolved, retry_scheduled:executor_exception",
    "RECONCILE_BEFORE_RETRY, THROW, suspended/reconciliation_required, unresolved, suspended:executor_exception",
    "MANUAL_RESOLUTION, THROW, suspended/manual_resolution, unresolved, suspended:executor_exception",
  })
  void exit_leadsWhereTheSafetySays(
      ProviderSafety safety, String exit, String state, String permit, String event) {
    WorkDefinition<String, String> definition = PumpScene.definition(safety);
    DurableRuntime runtime = scene.runtime(definition, invocation -> executor(exit));
    WorkId work = scene.accept(runtime, definition);

    runtime.pump().runOnce(PumpPass.of(1));

    assertThat(scene.state(work)).isEqualTo(state);
    assertThat(scene.permits(work)).isEqualTo(permit);
    assertThat(scene.history(work)).isEqualTo("accepted claimed permitted " + event);
    assertThat(scene.isDispatched(work)).isEqualTo(state.equals("ready"));
  }

  private static WorkExecutor<String, String> executor(String exit) {
    return (work, cancellation) ->
        switch (exit) {
          case "RETRY" -> WorkExit.retryBeforeEffect("busy");
          case "FAIL" -> WorkExit.failedWithoutEffect("refused");
          case "AMBIGUOUS" -> WorkExit.ambiguous("lost");
          default -> throw new IllegalStateException("thrown by the executor");
        };
  }
}
