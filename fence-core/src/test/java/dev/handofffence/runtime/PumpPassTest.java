package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bounds of a pass, and what runs together in it. */
@Timeout(60)
class PumpPassTest {

  private static final WorkExecutorFactory<String, String> SENDS =
      invocation -> (work, cancellation) -> WorkExit.succeeded("sent");

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
  void pass_endsAtItsItems() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = scene.runtime(definition, SENDS);
    accept(runtime, definition, 25);

    assertThat(runtime.pump().runOnce(PumpPass.of(10)).succeeded()).isEqualTo(10);
    assertThat(runtime.pump().runOnce(PumpPass.of(100)).succeeded()).isEqualTo(15);
    assertThat(runtime.pump().runOnce(PumpPass.of(100)).discovered()).isZero();
  }

  @Test
  void pass_runsManyScopesTogether() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    Set<ScopeId> seen = ConcurrentHashMap.newKeySet();
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation ->
                (work, cancellation) -> {
                  seen.add(work.scope());
                  return work.attempt() == 1
                      ? WorkExit.retryBeforeEffect("busy")
                      : WorkExit.succeeded("sent");
                });
    List<ScopeId> scopes = IntStream.range(0, 12).mapToObj(n -> ScopeId.of("many-" + n)).toList();
    scopes.forEach(s -> scene.accept(runtime, definition, s, UnaryOperator.identity()));
    scopes.forEach(s -> scene.accept(runtime, definition, s, UnaryOperator.identity()));

    Awaitility.await()
        .until(
            () -> {
              runtime.pump().runOnce(PumpPass.of(100));
              return scene.database.ask(
                  "SELECT count(*) FROM durable.work WHERE scope_id LIKE 'many-%' AND state = 'succeeded' AND attempt = 2");
            },
            "24"::equals);

    assertThat(seen).containsExactlyInAnyOrderElementsOf(scopes);
  }

  @Test
  void higherPriority_goesFirst() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    List<WorkId> order = new CopyOnWriteArrayList<>();
    DurableRuntime runtime =
        scene
            .builder()
            .concurrency(1)
            .register(
                definition,
                invocation ->
                    (work, cancellation) -> {
                      order.add(work.workId());
                      return WorkExit.succeeded("sent");
                    })
            .build();
    WorkId last = scene.accept(runtime, definition, r -> r.withPriority(0));
    WorkId middle = scene.accept(runtime, definition, r -> r.withPriority(5));
    WorkId first = scene.accept(runtime, definition, r -> r.withPriority(9));

    runtime.pump().runOnce(PumpPass.of(100));

    assertThat(order).containsExactly(first, middle, last);
  }

  /** A permit that waits in a queue would say that an effect may have happened. */
  @Test
  void permits_areNeverMoreThanFreePlaces() throws Exception {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    CountDownLatch running = new CountDownLatch(2);
    CountDownLatch mayEnd = new CountDownLatch(1);
    DurableRuntime runtime =
        scene
            .builder()
            .concurrency(2)
            .register(
                definition,
                invocation ->
                    (work, cancellation) -> {
                      running.countDown();
                      mayEnd.await();
                      return WorkExit.succeeded("sent");
                    })
            .build();
    accept(runtime, definition, 5);

    CompletableFuture<PumpResult> pass =
        Background.supply(() -> runtime.pump().runOnce(PumpPass.of(100)));
    assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();

    assertThat(runtime.pump().runOnce(PumpPass.of(9).within(Duration.ofMillis(50))).claimed())
        .isZero();
    assertThat(
            scene.database.ask(
                "SELECT count(*) FROM durable.permit JOIN durable.dispatch USING (scope_id, work_id) WHERE contract_name = '%s'"
                    .formatted(definition.name())))
        .isEqualTo("2");
    mayEnd.countDown();
    assertThat(pass.get().succeeded()).isEqualTo(5);
  }

  /** The leftover of an executor that returned without ending its transaction. */
  @Test
  void workThatStaysLocked_doesNotHoldUpTheOthers() throws Exception {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    List<CallerSession> leftOpen = new CopyOnWriteArrayList<>();
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation ->
                (work, cancellation) -> {
                  if (leftOpen.isEmpty()) {
                    leftOpen.add(lock(work.workId()));
                  }
                  return WorkExit.succeeded("sent");
                });
    accept(runtime, definition, 1);

    CompletableFuture<PumpResult> stuck =
        Background.supply(() -> runtime.pump().runOnce(PumpPass.of(1)));
    Awaitility.await().until(() -> !leftOpen.isEmpty());
    accept(runtime, definition, 6);
    assertThat(runtime.pump().runOnce(PumpPass.of(6)).succeeded()).isEqualTo(6);

    assertThat(stuck).isNotDone();
    leftOpen.get(0).close();
    assertThat(stuck.get().succeeded()).isEqualTo(1);
  }

  @Test
  void executorThatFailsToStartAnAttempt_isRetriedWithoutEffect() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        onExecutor(
            definition,
            task -> {
              throw new IllegalStateException("shut down");
            });
    WorkId work = accept(runtime, definition, 1).get(0);

    assertThat(runtime.pump().runOnce(PumpPass.of(1)).retried()).isEqualTo(1);

    assertThat(scene.permits(work)).isEqualTo("no_effect");
    assertThat(scene.history(work)).endsWith("retry_scheduled:executor_rejected");
  }

  @Test
  void errorOfTheExecutor_endsThePass_whenEveryPermittedAttemptIsReported() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        onExecutor(
            definition,
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    List<WorkId> works = accept(runtime, definition, 3);

    assertThatThrownBy(() -> runtime.pump().runOnce(PumpPass.of(3)))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(works)
        .allSatisfy(
            work -> assertThat(scene.history(work)).endsWith("retry_scheduled:executor_rejected"));
  }

  @Test
  void executorThatRunsAnAttemptAndThrows_isNotReportedTwice() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        onExecutor(
            definition,
            task -> {
              task.run();
              throw new IllegalStateException("afterwards");
            });
    WorkId work = accept(runtime, definition, 1).get(0);

    assertThat(runtime.pump().runOnce(PumpPass.of(1)).succeeded()).isEqualTo(1);

    assertThat(scene.history(work)).doesNotContain("quarantined");
  }

  private static DurableRuntime onExecutor(
      WorkDefinition<String, String> definition, Executor executor) {
    return scene.builder().executor(executor).register(definition, SENDS).build();
  }

  @Test
  void executorThatIsRejectedByItsHost_isRetriedWithoutEffect() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        scene
            .builder()
            .executor(
                task -> {
                  throw new RejectedExecutionException();
                })
            .register(definition, SENDS)
            .build();
    WorkId work = accept(runtime, definition, 1).get(0);

    PumpResult result = runtime.pump().runOnce(PumpPass.of(1));

    assertThat(result.retried()).isEqualTo(1);
    assertThat(result.invoked()).isZero();
    assertThat(scene.permits(work)).isEqualTo("no_effect");
    assertThat(scene.history(work)).endsWith("retry_scheduled:executor_rejected");
  }

  @Test
  void workOfADisabledScope_isSuspendedWhenItIsMet() throws SQLException {
    ScopeId doomed = ScopeId.of("doomed");
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = scene.runtime(definition, SENDS);
    WorkId work = scene.accept(runtime, definition, doomed, UnaryOperator.identity());
    scene.database.inScope(
        "doomed",
        "UPDATE durable.scope SET state = 'disabled', generation = generation + 1 WHERE scope_id = 'doomed'");

    assertThat(runtime.pump().runOnce(PumpPass.of(8)).suspended()).isEqualTo(1);
    assertThat(scene.state(work)).isEqualTo("suspended/scope_disabled");
  }

  @Test
  void workOfAnotherEpoch_isSuspendedWhenItIsMet() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = scene.runtime(definition, SENDS);
    WorkId work = accept(runtime, definition, 1).get(0);
    scene.change("work", work, "epoch = '" + UUID.randomUUID() + "'");

    assertThat(runtime.pump().runOnce(PumpPass.of(8)).suspended()).isEqualTo(1);
    assertThat(scene.state(work)).isEqualTo("suspended/epoch_changed");
  }

  @Test
  void canceledWork_isNotRun() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = scene.runtime(definition, SENDS);
    WorkId work = accept(runtime, definition, 1).get(0);
    scene.requestCancellation(work);

    PumpResult result = runtime.pump().runOnce(PumpPass.of(8));

    assertThat(result.ended()).isEqualTo(1);
    assertThat(result.invoked()).isZero();
    assertThat(scene.state(work)).isEqualTo("canceled");
  }

  @Test
  void workWithoutAttemptsLeft_fails() {
    WorkDefinition<String, String> definition =
        PumpScene.definition(
            ProviderSafety.IDEMPOTENT,
            RetryPolicy.attempts(1),
            LeasePolicy.of(Duration.ofSeconds(30), Duration.ofHours(1)));
    DurableRuntime runtime =
        scene.runtime(
            definition, i -> (work, cancellation) -> WorkExit.retryBeforeEffect("refused"));
    WorkId work = accept(runtime, definition, 1).get(0);

    assertThat(runtime.pump().runOnce(PumpPass.of(8)).ended()).isEqualTo(1);
    assertThat(scene.state(work)).isEqualTo("failed");
    assertThat(scene.history(work)).endsWith("failed:refused");
  }

  @Test
  void builder_refusesWhatIsMissingTwiceOrOutOfRange() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);

    assertThatThrownBy(() -> DurableRuntime.builder().build())
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR100")
        .hasMessageContaining("runtimeDataSource is not set");
    assertThatThrownBy(
            () -> scene.builder().register(definition, SENDS).register(definition, SENDS))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("registered twice");
    assertThatThrownBy(() -> scene.builder().concurrency(0).build())
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("concurrency is 0; allowed are 1 to 1000");
    assertThatThrownBy(() -> scene.builder().maxPayloadBytes(0))
        .isInstanceOf(DurableException.class);
    assertThatThrownBy(() -> scene.builder().allowEndpoint("http://localhost"))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("PostgreSQL JDBC URL");
  }

  private static List<WorkId> accept(
      DurableRuntime runtime, WorkDefinition<String, String> definition, int works) {
    return IntStream.range(0, works).mapToObj(n -> scene.accept(runtime, definition)).toList();
  }

  private static CallerSession lock(WorkId work) throws SQLException {
    CallerSession session = CallerSession.open(scene.database);
    session.execute(
        "SELECT set_config('durable.scope_id', '" + PumpScene.TENANT.value() + "', true)");
    session.execute("SELECT 1 FROM durable.work WHERE work_id = '" + work + "' FOR NO KEY UPDATE");
    return session;
  }
}
