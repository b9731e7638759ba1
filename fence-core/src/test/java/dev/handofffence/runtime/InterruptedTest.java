package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Interrupts stop threads; they say nothing about a contract, and nothing about an effect. */
class InterruptedTest {

  private final PumpScene scene = new PumpScene();
  private final WorkDefinition<String, String> definition =
      PumpScene.definition(ProviderSafety.RECONCILE_BEFORE_RETRY);

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void interruptedExecutor_isAmbiguousAndTheThreadStaysInterrupted() {
    AtomicBoolean interrupted = new AtomicBoolean();

    WorkId work =
        run(
            invocation ->
                (given, token) -> {
                  throw new InterruptedException("in the middle of a call");
                },
            interrupted);

    assertThat(scene.state(work)).isEqualTo("suspended/reconciliation_required");
    assertThat(scene.history(work)).endsWith("suspended:executor_interrupted");
    Awaitility.await().untilTrue(interrupted);
  }

  @Test
  void interruptedFactory_leavesTheContractAvailable() {
    AtomicBoolean unused = new AtomicBoolean();

    WorkId work =
        run(
            invocation -> {
              throw new InterruptedException("while beans were looked up");
            },
            unused);

    assertThat(Thread.interrupted()).as("the pass's thread stays interrupted").isTrue();
    assertThat(scene.state(work)).isEqualTo("claimed"); // and is recovered when its lease is over
    scene.expireLease(work);
    run(invocation -> (given, token) -> WorkExit.succeeded("sent"), unused);
    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  @Test
  @SuppressWarnings("NullAway") // what an application does that is not held to null-safety
  void executorWithoutAnExit_isAmbiguous() {
    WorkId work = run(invocation -> (given, token) -> null, new AtomicBoolean());

    assertThat(scene.history(work)).endsWith("suspended:no_exit");
  }

  private WorkId run(WorkExecutorFactory<String, String> executors, AtomicBoolean interrupted) {
    DurableRuntime runtime =
        scene
            .builder()
            .executor(
                task ->
                    new Thread(
                            () -> {
                              task.run();
                              interrupted.set(Thread.currentThread().isInterrupted());
                            })
                        .start())
            .register(definition, executors)
            .build();
    WorkId work = accepted(runtime);
    runtime.pump().runOnce(PumpPass.of(1));
    return work;
  }

  private WorkId accepted(DurableRuntime runtime) {
    String waiting = scene.database.ask("SELECT min(work_id::text) FROM durable.dispatch");
    return waiting.equals("null")
        ? scene.accept(runtime, definition)
        : new WorkId(UUID.fromString(waiting));
  }
}
