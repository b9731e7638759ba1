package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationSource;
import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Waits;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.Reconciliation;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkReconciler;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Registered reconcilers decide about unknown outcomes (protocol section 9). */
class ReconcilerTest {

  private static final PumpPass PASS = PumpPass.of(100);
  private static final String IN_DOUBT = "suspended/reconciliation_required";

  private static final WorkExecutorFactory<String, String> LOSING =
      invocation -> (work, token) -> WorkExit.ambiguous("lost");

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
  void applied_endsAsSucceededWithTheResultThatTheProviderTold() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.applied("no. 7"));
    WorkId work = inDoubt(runtime, definition);

    ReconciliationResult result = runtime.pump().reconcile(PASS);

    assertThat(result.asked()).isEqualTo(1);
    assertThat(result.applied()).isEqualTo(1);
    assertThat(scene.state(work)).isEqualTo("succeeded");
    assertThat(scene.permits(work)).isEqualTo("applied");
    assertThat(
            scene.database.ask(
                "SELECT convert_from(result, 'UTF8') FROM durable.work_result WHERE work_id = '"
                    + work
                    + "'"))
        .isEqualTo("no. 7");
    assertThat(isAskedAbout(work)).isFalse();
  }

  @Test
  void appliedWithoutAResult_endsAsSucceeded() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.applied());
    WorkId work = inDoubt(runtime, definition);

    runtime.pump().reconcile(PASS);

    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  @Test
  void notApplied_isTriedAgain() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.notApplied());
    WorkId work = inDoubt(runtime, definition);

    ReconciliationResult result = runtime.pump().reconcile(PASS);

    assertThat(result.notApplied()).isEqualTo(1);
    assertThat(scene.state(work)).isEqualTo("ready");
    assertThat(scene.permits(work)).isEqualTo("no_effect");
    assertThat(scene.isDispatched(work)).isTrue();
    assertThat(isAskedAbout(work)).isFalse();
  }

  @Test
  void notAppliedWithoutAttemptsLeft_fails() {
    WorkDefinition<String, String> definition =
        PumpScene.definition(
            ProviderSafety.RECONCILE_BEFORE_RETRY,
            RetryPolicy.attempts(1).withDelays(Duration.ofMillis(1), Duration.ofMillis(1)),
            LeasePolicy.standard());
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.notApplied());
    WorkId work = inDoubt(runtime, definition);

    runtime.pump().reconcile(PASS);

    assertThat(scene.state(work)).isEqualTo("failed");
  }

  @Test
  void requestedCancellation_isCarriedOutWhenNothingHappened() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.notApplied());
    WorkId work = inDoubt(runtime, definition);
    runtime.cancellation().cancel(command(work)).orElseThrow();

    runtime.pump().reconcile(PASS);

    assertThat(scene.state(work)).isEqualTo("canceled");
  }

  @Test
  void undecided_changesNothingAndIsAskedAgainLater() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.undecided());
    WorkId work = inDoubt(runtime, definition);

    assertThat(runtime.pump().reconcile(PASS).undecided()).isEqualTo(1);
    assertThat(runtime.pump().reconcile(PASS).asked()).isZero();
    assertThat(scene.state(work)).isEqualTo(IN_DOUBT);
    assertThat(asked(work)).isEqualTo("1");

    makeDue(work);
    assertThat(runtime.pump().reconcile(PASS).asked()).isEqualTo(1);
  }

  @Test
  void failingReconciler_changesNothing() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime =
        runtime(
            definition,
            (work, token) -> {
              throw new AssertionError("of the application");
            });
    WorkId work = inDoubt(runtime, definition);

    assertThat(runtime.pump().reconcile(PASS).undecided()).isEqualTo(1);
    assertThat(scene.state(work)).isEqualTo(IN_DOUBT);
  }

  @Test
  void reconciler_isToldTheActivityOfAllAttemptsAndThePayload() {
    WorkDefinition<String, String> definition = reconciled();
    List<String> sent = new CopyOnWriteArrayList<>();
    List<String> askedAbout = new CopyOnWriteArrayList<>();
    DurableRuntime runtime =
        scene
            .builder()
            .register(
                definition,
                invocation ->
                    (work, token) -> {
                      sent.add(work.activityId() + " " + work.attempt() + " " + work.payload());
                      return WorkExit.ambiguous("lost");
                    },
                (work, token) -> {
                  askedAbout.add(work.activityId() + " " + work.attempt() + " " + work.payload());
                  return Reconciliation.undecided();
                })
            .build();
    inDoubt(runtime, definition);

    runtime.pump().reconcile(PASS);

    assertThat(askedAbout).isEqualTo(sent).hasSize(1);
  }

  @Test
  void answer_isDroppedWhenSomebodyElseDecidedMeanwhile() {
    WorkDefinition<String, String> definition = reconciled();
    WorkId[] work = new WorkId[1];
    DurableRuntime runtime =
        runtime(
            definition,
            (asked, token) -> {
              operator()
                  .resolve(command(work[0]).expecting(revision(work[0])), Evidence.applied())
                  .orElseThrow();
              return Reconciliation.notApplied();
            });
    work[0] = inDoubt(runtime, definition);

    assertThat(runtime.pump().reconcile(PASS).undecided()).isEqualTo(1);

    assertThat(scene.state(work[0])).isEqualTo("succeeded");
    assertThat(scene.permits(work[0])).isEqualTo("applied");
  }

  @Test
  void twoWorkers_askOnce() throws InterruptedException {
    WorkDefinition<String, String> definition = reconciled();
    CountDownLatch asking = new CountDownLatch(1);
    CountDownLatch mayAnswer = new CountDownLatch(1);
    DurableRuntime first =
        runtime(
            definition,
            (work, token) -> {
              asking.countDown();
              mayAnswer.await();
              return Reconciliation.applied();
            });
    DurableRuntime second = runtime(definition, (work, token) -> Reconciliation.applied());
    WorkId work = inDoubt(first, definition);

    Thread asker = new Thread(() -> first.pump().reconcile(PASS));
    asker.start();
    assertThat(asking.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(second.pump().reconcile(PASS).asked()).isZero();
    mayAnswer.countDown();
    asker.join();

    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  @Test
  void expiredLeaseAfterThePermit_isReconciledToo() {
    WorkDefinition<String, String> definition = reconciled();
    WorkId[] work = new WorkId[1];
    DurableRuntime runtime =
        scene
            .builder()
            .register(
                definition,
                invocation ->
                    (running, token) -> {
                      scene.expireLease(work[0]);
                      return WorkExit.succeeded("too late");
                    },
                (asked, token) -> Reconciliation.applied("found"))
            .build();
    work[0] = scene.accept(runtime, definition);

    runtime.pump().runOnce(PASS);
    runtime.pump().runOnce(PASS);
    assertThat(scene.state(work[0])).isEqualTo(IN_DOUBT);
    makeDue(work[0]);
    runtime.pump().reconcile(PASS);

    assertThat(scene.state(work[0])).isEqualTo("succeeded");
  }

  @Test
  void workOfAnOlderEpoch_waitsForItsRelease() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.applied());
    WorkId work = inDoubt(runtime, definition);
    scene.change("work", work, "epoch = gen_random_uuid()");

    assertThat(runtime.pump().reconcile(PASS).asked()).isZero();

    assertThat(scene.state(work)).isEqualTo(IN_DOUBT);
  }

  @ParameterizedTest
  @EnumSource(
      value = ProviderSafety.class,
      names = {"IDEMPOTENT", "PROVIDER_KEYED"})
  void ambiguousEndOfRetriedWork_isReconciledToo(ProviderSafety safety) {
    WorkDefinition<String, String> definition =
        PumpScene.definition(
            safety,
            RetryPolicy.attempts(1).withDelays(Duration.ofMillis(1), Duration.ofMillis(1)),
            LeasePolicy.standard());
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.applied("found"));
    WorkId work = scene.accept(runtime, definition);
    runtime.pump().runOnce(PASS);
    assertThat(scene.state(work)).isEqualTo("suspended/ambiguous_outcome");
    makeDue(work);

    runtime.pump().reconcile(PASS);

    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  @Test
  void manualResolution_isNeverAskedAbout() {
    WorkDefinition<String, String> definition =
        PumpScene.definition(ProviderSafety.MANUAL_RESOLUTION);
    DurableRuntime runtime = scene.runtime(definition, LOSING);
    WorkId work = scene.accept(runtime, definition);
    runtime.pump().runOnce(PASS);

    assertThat(scene.state(work)).isEqualTo("suspended/manual_resolution");
    assertThat(isAskedAbout(work)).isFalse();
    assertThatThrownBy(() -> runtime(definition, (asked, token) -> Reconciliation.applied()))
        .isInstanceOfSatisfying(
            DurableException.class,
            e -> assertThat(e.problem()).isEqualTo(Problem.INVALID_REQUEST));
  }

  @Test
  void contractWithoutReconciler_isNotDiscovered() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = scene.runtime(definition, LOSING);
    WorkId work = scene.accept(runtime, definition);
    runtime.pump().runOnce(PASS);
    makeDue(work);

    assertThat(runtime.pump().reconcile(PASS).asked()).isZero();
    assertThat(asked(work)).isEqualTo("0");
  }

  @Test
  void cancelledPass_asksNobody() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.applied());
    inDoubt(runtime, definition);
    CancellationSource cancelled = new CancellationSource();
    cancelled.cancel();

    ReconciliationResult result = runtime.pump().reconcile(PASS, cancelled.token());

    assertThat(result.asked()).isZero();
  }

  @Test
  void history_namesWhoDecided() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.applied());
    WorkId work = inDoubt(runtime, definition);

    runtime.pump().reconcile(PASS);

    assertThat(scene.history(work)).endsWith("proven_applied:reconcile");
    assertThat(
            scene.database.ask(
                "SELECT actor FROM durable.work_history WHERE event = 'proven_applied' AND work_id = '"
                    + work
                    + "'"))
        .isEqualTo("reconciler");
  }

  @Test
  void first_isAskedWhenTheLostLeaseHadTimeToBeNoticed() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.applied());
    WorkId work = scene.accept(runtime, definition);
    runtime.pump().runOnce(PASS);

    assertThat(
            scene.database.ask(
                "SELECT due_at - clock_timestamp() BETWEEN lease_duration - interval '20 s' AND lease_duration"
                    + " FROM durable.inquiry JOIN durable.work_snapshot USING (scope_id, work_id) WHERE work_id = '"
                    + work
                    + "'"))
        .isEqualTo("t");
  }

  @Test
  void workerHost_asksByItself() {
    WorkDefinition<String, String> definition =
        PumpScene.definition(
            ProviderSafety.RECONCILE_BEFORE_RETRY,
            PumpScene.SOON,
            LeasePolicy.of(Duration.ofSeconds(1), Duration.ofMinutes(1)));
    DurableRuntime runtime = runtime(definition, (work, token) -> Reconciliation.applied());
    WorkId work = scene.accept(runtime, definition);

    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      Waits.until(
          scene.database,
          "SELECT state = 'succeeded' FROM durable.work WHERE work_id = '" + work + "'");
      assertThat(host.health().state()).isEqualTo(HostHealth.State.HEALTHY);
    }
    assertThat(scene.history(work)).contains("proven_applied:reconcile");
  }

  private static WorkDefinition<String, String> reconciled() {
    return PumpScene.definition(ProviderSafety.RECONCILE_BEFORE_RETRY);
  }

  private static DurableRuntime runtime(
      WorkDefinition<String, String> definition, WorkReconciler<String, String> reconciler) {
    return scene.builder().register(definition, LOSING, reconciler).build();
  }

  /** Accepts a Work, runs it and makes it due to be asked about. */
  private static WorkId inDoubt(DurableRuntime runtime, WorkDefinition<String, String> definition) {
    WorkId work = scene.accept(runtime, definition);
    runtime.pump().runOnce(PASS);
    assertThat(scene.state(work)).isEqualTo(IN_DOUBT);
    makeDue(work);
    return work;
  }

  private static void makeDue(WorkId work) {
    scene.change("inquiry", work, "due_at = clock_timestamp() - interval '1 second'");
  }

  private static boolean isAskedAbout(WorkId work) {
    return scene
        .database
        .ask("SELECT count(*) FROM durable.inquiry WHERE work_id = '" + work + "'")
        .equals("1");
  }

  private static String asked(WorkId work) {
    return scene.database.ask("SELECT asked FROM durable.inquiry WHERE work_id = '" + work + "'");
  }

  private static long revision(WorkId work) {
    return operator().find(PumpScene.TENANT, work).orElseThrow().work().revision();
  }

  private static WorkOperator operator() {
    return WorkOperator.of(scene.database.operator(), scene.database.store());
  }

  private static WorkCommand command(WorkId work) {
    return WorkCommand.of(
        PumpScene.TENANT, work, CommandId.of(UUID.randomUUID().toString()), "olga", "ticket 7");
  }
}
