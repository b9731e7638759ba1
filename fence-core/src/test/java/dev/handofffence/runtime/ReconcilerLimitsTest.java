package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CommandId;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.Waits;
import dev.handofffence.work.CommandOutcome;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.Reconciliation;
import dev.handofffence.work.ScopeCommand;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkReconciler;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a reconciler that is slow, wrong, or asked at a bad time cannot do to others. */
@Timeout(120)
class ReconcilerLimitsTest {

  private static final PumpPass PASS = PumpPass.of(100);
  private static final LeasePolicy SHORT =
      LeasePolicy.of(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private static final WorkExecutorFactory<String, String> LOSING =
      invocation -> (work, token) -> WorkExit.ambiguous("lost");

  private final CountDownLatch mayAnswer = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final PumpScene scene = new PumpScene();

  @AfterEach
  void close() {
    mayAnswer.countDown();
    scene.close();
  }

  @Test
  void providersThatDoNotAnswer_holdUpNoOtherWork() throws Exception {
    WorkDefinition<String, String> silent = reconciled();
    WorkDefinition<String, String> other = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        scene
            .builder()
            .concurrency(2)
            .register(silent, LOSING, hanging())
            .register(other, HostScene.succeeding())
            .build();
    for (int i = 0; i < 4; i++) {
      inDoubt(runtime, silent);
    }
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      Waits.until(scene.database, "SELECT max(asked) = 1 FROM durable.inquiry");

      WorkId work = scene.accept(runtime, other);

      Waits.until(scene.database, hasSucceeded(work));
      HostScene.until(() -> host.health().running() == 1); // its attempt ends after its row
      mayAnswer.countDown();
    }
  }

  @Test
  void reconcilerThatDoesNotAnswer_isNotAskedAboutTheSameWorkMeanwhile() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, hanging());
    WorkId work = inDoubt(runtime, definition);
    CompletableFuture<ReconciliationResult> first =
        Background.supply(() -> runtime.pump().reconcile(PASS));
    Waits.until(scene.database, "SELECT asked = 1 FROM durable.inquiry");

    makeDue(work);
    assertThat(runtime.pump().reconcile(PASS).asked()).isZero();

    mayAnswer.countDown();
    assertThat(first).succeedsWithin(20, TimeUnit.SECONDS).matches(r -> r.undecided() == 1);
    assertThat(asked).hasValue(1);
  }

  @Test
  void reconciler_isToldToStopAfterTheDurationOfALease() {
    WorkDefinition<String, String> definition = reconciled();
    CountDownLatch told = new CountDownLatch(1);
    DurableRuntime runtime =
        runtime(
            definition,
            (work, token) -> {
              token.onCancel(told::countDown);
              told.await();
              return Reconciliation.undecided();
            });
    inDoubt(runtime, definition);

    assertThat(runtime.pump().reconcile(PASS).undecided()).isEqualTo(1);
  }

  @Test
  void executorThatStillRuns_keepsItsRuntimeFromAsking() throws Exception {
    WorkDefinition<String, String> definition =
        PumpScene.definition(ProviderSafety.RECONCILE_BEFORE_RETRY);
    WorkId[] work = new WorkId[1];
    CountDownLatch maySend = new CountDownLatch(1);
    DurableRuntime runtime =
        scene
            .builder()
            .register(
                definition,
                invocation ->
                    (running, token) -> {
                      scene.expireLease(work[0]);
                      maySend.await();
                      return WorkExit.ambiguous("lost");
                    },
                answering(Reconciliation.notApplied()))
            .build();
    work[0] = scene.accept(runtime, definition);
    CompletableFuture<PumpResult> pass = Background.supply(() -> runtime.pump().runOnce(PASS));
    Waits.until(
        scene.database,
        "SELECT count(*) = 1 FROM durable.dispatch WHERE lease_expires_at < clock_timestamp()");
    Background.supply(() -> scene.runtime(definition, LOSING).pump().runOnce(PASS)).get();
    assertThat(scene.state(work[0])).isEqualTo("suspended/reconciliation_required");
    makeDue(work[0]);

    assertThat(runtime.pump().reconcile(PASS).asked()).isZero();
    maySend.countDown();
    assertThat(pass).succeedsWithin(30, TimeUnit.SECONDS);
    assertThat(runtime.pump().reconcile(PASS).notApplied()).isEqualTo(1);
  }

  @Test
  void floodOfOneScope_hidesNoOther() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, answering(Reconciliation.undecided()));
    for (int i = 0; i < 30; i++) {
      inDoubt(runtime, definition);
    }
    ScopeId quiet = ScopeId.of("tenant-b");
    WorkId work = scene.accept(runtime, definition, quiet, request -> request);
    runtime.pump().runOnce(PASS);
    scene.database.inScope(
        quiet.value(), "UPDATE durable.inquiry SET due_at = clock_timestamp() - interval '1 s'");

    runtime.pump().reconcile(PumpPass.of(10));

    assertThat(
            scene.database.ask("SELECT asked FROM durable.inquiry WHERE work_id = '" + work + "'"))
        .isEqualTo("1");
  }

  @Test
  void allOfAScope_areAskedAboutInOnePass() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, answering(Reconciliation.applied()));
    for (int i = 0; i < 10; i++) {
      inDoubt(runtime, definition);
    }

    assertThat(runtime.pump().reconcile(PASS).applied()).isEqualTo(10);
  }

  @Test
  void lockedRow_isPassedOver() throws SQLException {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, answering(Reconciliation.applied()));
    WorkId locked = inDoubt(runtime, definition);
    WorkId free = inDoubt(runtime, definition);
    try (Connection rival = scene.database.superuser().getConnection();
        Statement statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute("SELECT FROM durable.inquiry WHERE work_id = '" + locked + "' FOR UPDATE");

      assertThat(runtime.pump().reconcile(PASS).applied()).isEqualTo(1);
      rival.rollback();
    }
    assertThat(scene.state(free)).isEqualTo("succeeded");
  }

  @Test
  void lockedScope_isPassedOver() throws SQLException {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, answering(Reconciliation.applied()));
    inDoubt(runtime, definition);
    try (Connection rival = scene.database.superuser().getConnection();
        Statement statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute(
          "SELECT pg_advisory_xact_lock(durable.scope_lock_key('"
              + PumpScene.TENANT.value()
              + "'))");

      assertThat(runtime.pump().reconcile(PASS).asked()).isZero();
      rival.rollback();
    }
  }

  @Test
  void runtimeOfAnOldEpoch_movesNothing() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime old = runtime(definition, answering(Reconciliation.applied()));
    WorkId work = inDoubt(old, definition);
    rotate();
    String before = inquiry(work);

    assertThat(old.pump().reconcile(PASS).asked()).isZero();

    assertThat(inquiry(work)).isEqualTo(before);
  }

  @Test
  void releasedEpoch_isAskedAboutAgain() {
    WorkDefinition<String, String> definition = reconciled();
    WorkId work = inDoubt(runtime(definition, hanging()), definition);
    WorkId second = inDoubt(runtime(definition, hanging()), definition);
    StoreIdentity store = rotate();
    DurableRuntime runtime =
        DurableRuntime.builder()
            .runtimeDataSource(scene.database.runtime())
            .dispatcherDataSource(scene.database.dispatcher())
            .store(store)
            .register(definition, LOSING, answering(Reconciliation.applied()))
            .build();
    WorkOperator operator = WorkOperator.of(scene.database.operator(), store);
    assertThat(runtime.pump().reconcile(PASS).asked()).isZero();

    WorkCommand release =
        WorkCommand.of(PumpScene.TENANT, work, newCommand(), "olga", "restored")
            .expecting(operator.find(PumpScene.TENANT, work).orElseThrow().work().revision());
    assertThat(operator.release(release).orElseThrow().change())
        .isEqualTo(CommandOutcome.Change.STILL_SUSPENDED);
    ScopeCommand all = ScopeCommand.of(PumpScene.TENANT, newCommand(), "olga", "restored");
    assertThat(operator.releaseEpoch(all, 100).orElseThrow().released()).isEqualTo(1);

    makeDue(work);
    makeDue(second);
    assertThat(runtime.pump().reconcile(PASS).applied()).isEqualTo(2);
    assertThat(scene.state(work)).isEqualTo("succeeded");
    assertThat(scene.state(second)).isEqualTo("succeeded");
  }

  @Test
  void transitions_needNoGrantsOnTheInquiries() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, answering(Reconciliation.applied()));
    scene.database.execute("REVOKE ALL ON durable.inquiry FROM " + DurableDatabase.RUNTIME);

    inDoubt(runtime, definition);

    assertThat(runtime.pump().reconcile(PASS).stoppedBy()).contains(Problem.SCHEMA_INCONSISTENT);
  }

  @Test
  void executorThatThrowsWhatItMayNot_isSurvived() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime losing = runtime(definition, hanging());
    WorkId work = inDoubt(losing, definition);
    DurableRuntime runtime =
        scene
            .builder()
            .executor(
                task -> {
                  throw ReconcilerLimitsTest.<Error>sneaky(new IOException("full"));
                })
            .register(definition, LOSING, answering(Reconciliation.applied()))
            .build();

    for (int i = 0; i < 20; i++) {
      assertThat(runtime.pump().reconcile(PASS).asked()).isZero();
      makeDue(work);
    }
  }

  @Test
  void stopNow_saysThatAReconcilerWasGivenUp() {
    WorkDefinition<String, String> definition = reconciled();
    DurableRuntime runtime = runtime(definition, hanging());
    inDoubt(runtime, definition);
    WorkerHost host = runtime.startHost(HostScene.quick().build());
    Waits.until(scene.database, "SELECT asked = 1 FROM durable.inquiry");

    assertThat(host.stopNow(Duration.ofMillis(300))).isFalse();
  }

  private WorkDefinition<String, String> reconciled() {
    return PumpScene.definition(ProviderSafety.RECONCILE_BEFORE_RETRY, PumpScene.SOON, SHORT);
  }

  private WorkReconciler<String, String> hanging() {
    return (work, token) -> {
      asked.incrementAndGet();
      mayAnswer.await();
      return Reconciliation.undecided();
    };
  }

  private static WorkReconciler<String, String> answering(Reconciliation<String> answer) {
    return (work, token) -> answer;
  }

  private DurableRuntime runtime(
      WorkDefinition<String, String> definition, WorkReconciler<String, String> reconciler) {
    return scene.builder().register(definition, LOSING, reconciler).build();
  }

  private WorkId inDoubt(DurableRuntime runtime, WorkDefinition<String, String> definition) {
    WorkId work = scene.accept(runtime, definition);
    runtime.pump().runOnce(PASS);
    makeDue(work);
    return work;
  }

  private void makeDue(WorkId work) {
    scene.change("inquiry", work, "due_at = clock_timestamp() - interval '1 second'");
  }

  private String inquiry(WorkId work) {
    return scene.database.ask("SELECT i FROM durable.inquiry i WHERE work_id = '" + work + "'");
  }

  private static String hasSucceeded(WorkId work) {
    return "SELECT state = 'succeeded' FROM durable.work WHERE work_id = '" + work + "'";
  }

  private StoreIdentity rotate() {
    return StoreAdministration.of(scene.database.owner())
        .rotateEpoch(
            scene.database.store().epoch(), EpochChange.of(UUID.randomUUID(), "dora", "restored"))
        .orElseThrow();
  }

  private static CommandId newCommand() {
    return CommandId.of(UUID.randomUUID().toString());
  }

  @SuppressWarnings({
    "unchecked",
    "TypeParameterUnusedInFormals"
  }) // the point is to throw what the compiler would not let pass
  private static <E extends Throwable> E sneaky(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
