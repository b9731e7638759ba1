package dev.handofffence.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationToken;
import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.fixture.Waits;
import dev.handofffence.handoff.HandoffResult;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.EncodedResult;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.operator.OperatorScene.At;
import dev.handofffence.runtime.ScopeLockedException;
import dev.handofffence.work.CommandOutcome;
import dev.handofffence.work.CommandOutcome.Change;
import dev.handofffence.work.DisabledScope;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.ScopeCommand;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Disabling a tenant: at every state of its Work, whole, at once, under load, and for good. */
class DisableScopeTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

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
    "READY, 1, suspended/scope_disabled, null",
    "READY_IN_DOUBT, 1, suspended/scope_disabled, unresolved",
    "CLAIMED, 1, suspended/scope_disabled, null",
    "PERMITTED, 1, suspended/scope_disabled, unresolved",
    "SUSPENDED_FOR_CONTRACT, 0, suspended/contract_unavailable, null",
    "SUCCEEDED, 0, succeeded, applied",
    "FAILED, 0, failed, no_effect",
    "CANCELED, 0, canceled, null",
  })
  void disable_suspendsWhatIsRunnableOrOwned(At at, long suspended, String state, String permits)
      throws SQLException {
    WorkId work = scene.workAt(at, scope, ProviderSafety.PROVIDER_KEYED);
    long revision = scene.operator().find(scope, work).orElseThrow().work().revision();

    DisabledScope disabled = scene.operator().disableScope(command(), PATIENCE).orElseThrow();

    assertThat(disabled).isEqualTo(new DisabledScope(2, suspended, false));
    assertThat(scene.state(work)).isEqualTo(state);
    assertThat(scene.permits(work)).isEqualTo(permits);
    assertThat(scene.isDispatched(work)).isFalse();
    assertThat(scene.operator().find(scope, work).orElseThrow().work().revision())
        .isEqualTo(revision + suspended);
    if (suspended == 1) {
      assertThat(scene.history(work)).endsWith("scope_disabled:disable_scope");
    }
    assertThat(
            scene.database.ask(
                "SELECT state || ' ' || generation || ' ' || changed_by || ' ' || change_reason FROM durable.scope WHERE scope_id = '"
                    + scope.value()
                    + "'"))
        .isEqualTo("disabled 2 olga bankrupt");
  }

  @Test
  void disabledScope_acceptsClaimsAndPermitsNothing() throws SQLException {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    Claim claim = scene.claim(scope, work);

    scene.operator().disableScope(command(), PATIENCE).orElseThrow();

    assertThat(scene.isPermitted(claim)).isFalse();
    assertThatThrownBy(() -> scene.accept(scope, ProviderSafety.PROVIDER_KEYED))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR107");
    assertThat(scene.operator().release(scene.currentCommand(scope, work)))
        .isEqualTo(OperationResult.failure(Problem.SCOPE_DISABLED));
    assertThat(scene.operator().retry(scene.currentCommand(scope, work)))
        .isEqualTo(OperationResult.failure(Problem.SCOPE_DISABLED));
  }

  @Test
  void lateReport_isKeptBesideTheWork() throws SQLException {
    WorkId work = scene.accept(scope, ProviderSafety.RECONCILE_BEFORE_RETRY);
    Claim claim = scene.permit(scene.claim(scope, work));
    scene.operator().disableScope(command(), PATIENCE).orElseThrow();

    Ending ending =
        scene.complete(Completion.succeeded(claim, new EncodedResult("text", new byte[] {'x'})));

    assertThat(ending).isEqualTo(Ending.QUARANTINED);
    assertThat(scene.state(work)).isEqualTo("suspended/scope_disabled");
    assertThat(scene.permits(work)).isEqualTo("unresolved");
    assertThat(scene.history(work)).endsWith("quarantined:succeeded");
  }

  @Test
  void workOfADisabledScope_isStillResolvedAndCanceled() throws SQLException {
    WorkId sent = scene.workAt(At.PERMITTED, scope, ProviderSafety.RECONCILE_BEFORE_RETRY);
    WorkId unsent = scene.workAt(At.PERMITTED, scope, ProviderSafety.RECONCILE_BEFORE_RETRY);
    scene.operator().disableScope(command(), PATIENCE).orElseThrow();

    scene.operator().reconcile(scene.currentCommand(scope, sent), Evidence.applied()).orElseThrow();
    CommandOutcome kept =
        scene
            .operator()
            .reconcile(scene.currentCommand(scope, unsent), Evidence.notApplied())
            .orElseThrow();
    assertThat(kept.change()).isEqualTo(Change.STILL_SUSPENDED);
    assertThat(scene.state(unsent)).isEqualTo("suspended/scope_disabled");
    scene.operator().cancel(OperatorScene.command(scope, unsent)).orElseThrow();

    assertThat(scene.state(sent)).isEqualTo("succeeded");
    assertThat(scene.state(unsent)).isEqualTo("canceled");
  }

  @Test
  void disable_isIdempotentByItsCommandId() {
    scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    ScopeCommand command = command();
    scene.operator().disableScope(command, PATIENCE).orElseThrow();

    assertThat(scene.operator().disableScope(command, Duration.ZERO).orElseThrow())
        .isEqualTo(new DisabledScope(2, 1, true));
    assertThat(
            scene
                .operator()
                .disableScope(
                    ScopeCommand.of(scope, command.commandId(), "olga", "other"), PATIENCE))
        .isEqualTo(OperationResult.failure(Problem.COMMAND_CONFLICT));
    assertThat(scene.operator().disableScope(command(), PATIENCE))
        .isEqualTo(OperationResult.failure(Problem.SCOPE_DISABLED));
  }

  @Test
  void unknownScope_isTold() {
    assertThat(scene.operator().disableScope(command(), PATIENCE))
        .isEqualTo(OperationResult.failure(Problem.SCOPE_ABSENT));
  }

  @Test
  void openHandoff_isWaitedForAndThenNamed() throws Exception {
    PermittedWork permitted = PermittedWork.create(scene.database);
    ScopeCommand command =
        ScopeCommand.of(permitted.claim().scope(), OperatorScene.newCommand(), "olga", "bankrupt");
    try (CallerSession application = CallerSession.open(scene.database)) {
      assertThat(handOff(permitted, application.connection()).isSuccess()).isTrue();

      assertThatThrownBy(() -> scene.operator().disableScope(command, Duration.ofMillis(300)))
          .isInstanceOfSatisfying(
              ScopeLockedException.class,
              e -> assertThat(e.blockingPids()).containsExactly(backend(application)));
      assertThat(permitted.read(PermittedWork.Row.WORK, "state")).isEqualTo("permitted");

      CompletableFuture<OperationResult<DisabledScope>> disable =
          Background.supply(() -> scene.operator().disableScope(command, PATIENCE));
      Waits.untilBlockedBy(scene.database, backend(application));
      application.commit();
      assertThat(disable.get(20, TimeUnit.SECONDS).orElseThrow().suspended()).isEqualTo(1);
    }
    try (CallerSession application = CallerSession.open(scene.database)) {
      assertThat(handOff(permitted, application.connection()))
          .isEqualTo(OperationResult.failure(Problem.SCOPE_DISABLED));
    }
  }

  @Test
  void tenThousandWorks_areDisabledWithinThirtySeconds() {
    fill(10_000);
    long begun = System.nanoTime();

    DisabledScope disabled = scene.operator().disableScope(command(), PATIENCE).orElseThrow();

    assertThat(disabled.suspended()).isEqualTo(10_000);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
    assertThat(count("dispatch")).isEqualTo("0");
    assertThat(count("work WHERE state = 'suspended' AND suspend_reason = 'scope_disabled' AND"))
        .isEqualTo("10000");
    assertThat(count("work_history WHERE event = 'scope_disabled' AND")).isEqualTo("10000");
  }

  @Test
  void tenantUnderConstantHandoffs_isDisabledWithinSeconds() throws Exception {
    PermittedWork first = PermittedWork.create(scene.database);
    ScopeId busy = first.claim().scope();
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger handoffs = new AtomicInteger();
    CountDownLatch underWay = new CountDownLatch(8);
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      PermittedWork own = PermittedWork.create(scene.database, busy);
      clients.add(Background.run(() -> handOffUntilDisabled(own, stop, handoffs, underWay)));
    }
    try {
      assertThat(underWay.await(30, TimeUnit.SECONDS)).isTrue();
      long begun = System.nanoTime();
      DisabledScope disabled =
          scene
              .operator()
              .disableScope(
                  ScopeCommand.of(busy, OperatorScene.newCommand(), "olga", "bankrupt"), PATIENCE)
              .orElseThrow();

      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
      assertThat(disabled.suspended()).isEqualTo(9);
    } finally {
      stop.set(true);
    }
    for (CompletableFuture<Void> client : clients) {
      client.get(30, TimeUnit.SECONDS);
    }
    assertThat(handoffs.get()).isGreaterThanOrEqualTo(8);
  }

  private static void handOffUntilDisabled(
      PermittedWork work, AtomicBoolean stop, AtomicInteger handoffs, CountDownLatch underWay) {
    try (Connection connection = scene.database.runtime().getConnection()) {
      connection.setAutoCommit(false);
      boolean refused = false;
      while (!refused && !stop.get()) {
        refused = !handOff(work, connection).isSuccess();
        connection.commit();
        if (!refused) {
          handoffs.incrementAndGet();
        }
        underWay.countDown();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static OperationResult<HandoffResult> handOff(PermittedWork work, Connection connection)
      throws Exception {
    return work.run(
        fence ->
            fence.execute(
                connection,
                (Connection transaction, CancellationToken token) -> true,
                CancellationToken.none()));
  }

  private ScopeCommand command() {
    return ScopeCommand.of(scope, OperatorScene.newCommand(), "olga", "bankrupt");
  }

  private static int backend(CallerSession application) {
    try {
      return application.backend();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As many ready Works as acceptance would have made, one by one. */
  private void fill(int works) {
    scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    scene.database.inScope(
        scope.value(),
        """
        CREATE TEMP TABLE ids AS SELECT gen_random_uuid() AS id FROM generate_series(2, %2$s);
        INSERT INTO durable.work (scope_id, work_id, scope_generation, epoch)
            SELECT '%1$s', id, 1, '%3$s' FROM ids;
        INSERT INTO durable.work_snapshot (scope_id, work_id, activity_id, contract_name,
            contract_version, payload_format, payload, payload_sha256, provider_safety, priority,
            max_attempts, retry_initial, retry_maximum, lease_duration, lease_max_lifetime,
            accepted_at)
            SELECT '%1$s', id, gen_random_uuid(), 'c', 'v1', 'text', 'x', sha256('x'),
                'idempotent', 5, 1, '1 s', '1 s', '1 s', '1 s', now() FROM ids;
        INSERT INTO durable.dispatch (scope_id, work_id, contract_name, contract_version, priority,
            due_at) SELECT '%1$s', id, 'c', 'v1', 5, now() FROM ids
        """
            .formatted(scope.value(), works, scene.store().epoch()));
  }

  private String count(String from) {
    return scene.database.ask(
        "SELECT count(*) FROM durable."
            + from
            + (from.endsWith("AND") ? "" : " WHERE")
            + " scope_id = '"
            + scope.value()
            + "'");
  }
}
