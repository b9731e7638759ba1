package dev.handofffence.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.fixture.Waits;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.operator.OperatorScene.At;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.work.CommandOutcome;
import dev.handofffence.work.CommandOutcome.Change;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Cancelling at every state, by an operator and by the application. */
class CancelTest {

  private static OperatorScene scene;

  private final ScopeId scope = OperatorScene.newScope();

  @BeforeAll
  static void open() {
    scene = new OperatorScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @ParameterizedTest
  @CsvSource({
    "READY, PROVIDER_KEYED, CANCELED, canceled, canceled_by_command",
    "READY_IN_DOUBT, PROVIDER_KEYED, CANCELLATION_REQUESTED, suspended/ambiguous_outcome, cancel_requested",
    "CLAIMED, MANUAL_RESOLUTION, CANCELED, canceled, canceled_by_command",
    "CLAIMED_IN_DOUBT, IDEMPOTENT, CANCELLATION_REQUESTED, suspended/ambiguous_outcome, cancel_requested",
    "PERMITTED, PROVIDER_KEYED, CANCELLATION_REQUESTED, permitted, cancel_requested",
    "SUSPENDED_IN_DOUBT, RECONCILE_BEFORE_RETRY, CANCELLATION_REQUESTED, suspended/reconciliation_required, cancel_requested",
    "SUSPENDED_IN_DOUBT, MANUAL_RESOLUTION, CANCELLATION_REQUESTED, suspended/manual_resolution, cancel_requested",
    "SUSPENDED_FOR_CONTRACT, PROVIDER_KEYED, CANCELED, canceled, canceled_by_command",
  })
  void cancel_endsWhatCannotHaveHadAnEffectAndRequestsTheRest(
      At at, ProviderSafety safety, Change change, String state, String event) throws SQLException {
    WorkId work = scene.workAt(at, scope, safety);
    WorkCommand command = scene.currentCommand(scope, work);

    CommandOutcome outcome = scene.operator().cancel(command).orElseThrow();

    assertThat(outcome.change()).isEqualTo(change);
    assertThat(outcome.revision())
        .isEqualTo(command.expectedRevision().orElseThrow() + 1)
        .isEqualTo(scene.operator().find(scope, work).orElseThrow().work().revision());
    assertThat(scene.state(work)).isEqualTo(state);
    assertThat(scene.isCancelRequested(work)).isTrue();
    assertThat(scene.isDispatched(work)).isEqualTo(state.equals("permitted"));
    assertThat(scene.history(work)).endsWith(event + ":cancel");
    assertThat(scene.operator().find(scope, work).orElseThrow().history())
        .last()
        .satisfies(entry -> assertThat(entry.actor()).contains("olga"))
        .satisfies(entry -> assertThat(entry.reason()).contains("ticket 7"));
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED", "CANCELED"})
  void cancel_leavesWhatHasEnded(At at) throws SQLException {
    WorkId work = scene.workAt(at, scope, ProviderSafety.PROVIDER_KEYED);
    String before = scene.everythingOf(work);

    assertThat(scene.operator().cancel(OperatorScene.command(scope, work)))
        .isEqualTo(OperationResult.failure(Problem.WORK_TERMINAL));

    assertThat(scene.everythingOf(work)).isEqualTo(before);
  }

  @Test
  void claim_isLostByACancellation() throws SQLException {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    Claim claim = scene.claim(scope, work);

    scene.operator().cancel(OperatorScene.command(scope, work)).orElseThrow();

    assertThat(scene.isPermitted(claim)).isFalse();
    assertThat(scene.permits(work)).isEqualTo("null");
  }

  @Test
  void unknownWorkAndScope_areTold() {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);

    assertThat(scene.operator().cancel(OperatorScene.command(OperatorScene.newScope(), work)))
        .isEqualTo(OperationResult.failure(Problem.SCOPE_ABSENT));
    assertThat(
            scene
                .operator()
                .cancel(OperatorScene.command(scope, new WorkId(java.util.UUID.randomUUID()))))
        .isEqualTo(OperationResult.failure(Problem.WORK_ABSENT));
  }

  @Test
  void runningExecutor_seesItsTokenFireAndNothingIsRetried() throws Exception {
    WorkDefinition<String, String> definition =
        WorkDefinition.named("notes.slow", "v1")
            .payload(PayloadCodecs.text())
            .result(PayloadCodecs.text())
            .providerSafety(ProviderSafety.PROVIDER_KEYED)
            .retry(OperatorScene.MUCH_LATER)
            .lease(new LeasePolicy(Duration.ofSeconds(3), Duration.ofMinutes(1)))
            .build();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch fired = new CountDownLatch(1);
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation ->
                (work, token) -> {
                  var unused = token.onCancel(fired::countDown);
                  running.countDown();
                  fired.await(20, TimeUnit.SECONDS);
                  return WorkExit.retryBeforeEffect("cancelled");
                });
    WorkId work = scene.accept(scope, definition, UnaryOperator.identity());
    CompletableFuture<?> pass = Background.run(() -> runtime.pump().runOnce(PumpPass.of(1)));
    running.await();

    OperationResult<CommandOutcome> outcome =
        runtime.cancellation().cancel(OperatorScene.command(scope, work));

    assertThat(outcome.orElseThrow().change()).isEqualTo(Change.CANCELLATION_REQUESTED);
    pass.get(30, TimeUnit.SECONDS);
    assertThat(fired.getCount()).isZero();
    assertThat(scene.state(work)).isEqualTo("canceled");
    assertThat(scene.permits(work)).isEqualTo("no_effect");
  }

  @Test
  void cancel_waitsForAnOpenHandoff() throws Exception {
    PermittedWork permitted = PermittedWork.create(scene.database);
    WorkCommand command =
        OperatorScene.command(permitted.claim().scope(), permitted.claim().workId());
    try (CallerSession application = CallerSession.open(scene.database)) {
      permitted.run(
          fence ->
              fence.execute(
                  application.connection(),
                  (Connection transaction, dev.handofffence.CancellationToken token) -> true,
                  dev.handofffence.CancellationToken.none()));
      CompletableFuture<OperationResult<CommandOutcome>> cancel =
          Background.supply(() -> scene.operator().cancel(command));

      Waits.untilBlockedBy(scene.database, application.backend());
      assertThat(cancel).isNotDone();
      application.commit();

      assertThat(cancel.get(20, TimeUnit.SECONDS).orElseThrow().change())
          .isEqualTo(Change.CANCELLATION_REQUESTED);
    }
  }

  @Test
  void callersTransaction_decidesAboutTheCancellation() throws SQLException {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    DurableRuntime runtime = runtime();
    try (CallerSession application = CallerSession.open(scene.database)) {
      application.execute("SELECT set_config('durable.scope_id', 'callers-own', true)");
      runtime
          .cancellation()
          .cancel(application.connection(), OperatorScene.command(scope, work))
          .orElseThrow();

      assertThat(application.scope()).isEqualTo("callers-own");
      assertThat(scene.state(work)).isEqualTo("ready");
      application.connection().rollback();
      assertThat(scene.state(work)).isEqualTo("ready");

      runtime
          .cancellation()
          .cancel(application.connection(), OperatorScene.command(scope, work))
          .orElseThrow();
      application.commit();
      assertThat(scene.state(work)).isEqualTo("canceled");
    }
  }

  @Test
  void callersJooqTransaction_decidesAboutTheCancellation() throws SQLException {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    try (CallerSession application = CallerSession.open(scene.database)) {
      DSLContext transaction = DSL.using(application.connection(), SQLDialect.POSTGRES);

      runtime()
          .cancellation()
          .cancel(transaction.configuration(), OperatorScene.command(scope, work))
          .orElseThrow();

      assertThat(scene.state(work)).isEqualTo("ready");
      application.commit();
      assertThat(scene.state(work)).isEqualTo("canceled");
    }
  }

  @Test
  void readOnlyTransaction_isRefusedAndUsable() throws SQLException {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    try (CallerSession application = CallerSession.open(scene.database)) {
      application.execute("SET TRANSACTION READ ONLY");

      assertThatThrownBy(
              () ->
                  runtime()
                      .cancellation()
                      .cancel(application.connection(), OperatorScene.command(scope, work)))
          .isInstanceOf(DurableException.class)
          .hasMessageContaining("DUR101")
          .hasMessageContaining("read-only");
      assertThat(application.ask("SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void refusal_leavesTheCallersTransactionUsableAndUnlocked() throws SQLException {
    WorkId work = scene.workAt(At.SUCCEEDED, scope, ProviderSafety.PROVIDER_KEYED);
    try (CallerSession application = CallerSession.open(scene.database)) {
      application.execute("CREATE TEMP TABLE before AS SELECT 1 AS x");

      assertThat(
              runtime()
                  .cancellation()
                  .cancel(application.connection(), OperatorScene.command(scope, work)))
          .isEqualTo(OperationResult.failure(Problem.WORK_TERMINAL));

      assertThat(application.ask("SELECT x FROM before")).isEqualTo("1");
      assertThat(application.scope()).isEmpty();
      assertThat(
              scene.database.ask(
                  "SELECT work_id FROM durable.work WHERE work_id = '%s' FOR UPDATE NOWAIT"
                      .formatted(work)))
          .isEqualTo(work.toString());
    }
  }

  @Test
  void workThatStaysLocked_isRefusedAndTheTransactionUsable() throws SQLException {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    try (CallerSession holder = CallerSession.open(scene.database);
        CallerSession application = CallerSession.open(scene.database)) {
      holder.execute("SELECT set_config('durable.scope_id', '" + scope.value() + "', true)");
      holder.execute("SELECT 1 FROM durable.work WHERE work_id = '" + work + "' FOR NO KEY UPDATE");
      application.execute("SET LOCAL lock_timeout = '100ms'");

      assertThat(
              runtime()
                  .cancellation()
                  .cancel(application.connection(), OperatorScene.command(scope, work)))
          .isEqualTo(OperationResult.failure(Problem.COMMAND_IN_PROGRESS));

      assertThat(application.ask("SELECT 1")).isEqualTo("1");
      assertThat(application.ask("SHOW lock_timeout")).isEqualTo("100ms");
    }
  }

  @Test
  void unusableTransaction_isRefused() throws SQLException {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    try (Connection autocommit = scene.database.runtime().getConnection()) {
      assertThatThrownBy(
              () -> runtime().cancellation().cancel(autocommit, OperatorScene.command(scope, work)))
          .isInstanceOf(DurableException.class)
          .hasMessageContaining("DUR101");
      autocommit.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      autocommit.setAutoCommit(false);
      assertThatThrownBy(
              () -> runtime().cancellation().cancel(autocommit, OperatorScene.command(scope, work)))
          .isInstanceOf(DurableException.class)
          .hasMessageContaining("DUR101")
          .hasMessageContaining("repeatable read");
      autocommit.rollback();
    }
  }

  private static DurableRuntime runtime() {
    return scene.runtime(
        OperatorScene.definition(ProviderSafety.PROVIDER_KEYED, OperatorScene.MUCH_LATER),
        invocation -> (work, token) -> WorkExit.succeeded("sent"));
  }
}
