package dev.handofffence.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Attempt;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.Waits;
import dev.handofffence.operator.OperatorScene;
import dev.handofffence.operator.OperatorScene.At;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.RetentionPolicy;
import dev.handofffence.runtime.RetentionPosition;
import dev.handofffence.runtime.RetentionResult;
import dev.handofffence.runtime.StoreRetention;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkRequest;
import dev.handofffence.work.WorkState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Old Work goes; what recognises its commands stays for longer; nothing else is touched. */
class RetentionTest {

  private static final RetentionPolicy POLICY =
      RetentionPolicy.of(Duration.ofDays(30), Duration.ofDays(365));
  private static final WorkDefinition<String, String> DEFINITION =
      OperatorScene.definition(ProviderSafety.PROVIDER_KEYED, OperatorScene.MUCH_LATER);

  private final OperatorScene scene = new OperatorScene();
  private final ScopeId scope = OperatorScene.newScope();
  private final StoreRetention retention = StoreRetention.of(scene.database.retention());

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED", "CANCELED"})
  void finishedWork_isRemovedWholeOnceItIsOld(At at) throws SQLException {
    WorkId old = scene.workAt(at, scope, ProviderSafety.PROVIDER_KEYED);
    age(31);
    WorkId recent = scene.workAt(at, scope, ProviderSafety.PROVIDER_KEYED);

    RetentionResult result = run();

    assertThat(result.removedWorks()).isEqualTo(1);
    assertThat(result.removedIdentities()).isZero();
    assertThat(rowsOf(old)).isEqualTo("identity 1, others 0");
    assertThat(scene.operator().find(scope, recent)).isPresent();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SUCCEEDED", "FAILED", "CANCELED"})
  void workThatHasNotEnded_staysHoweverOld(At at) throws SQLException {
    WorkId work = scene.workAt(at, scope, ProviderSafety.PROVIDER_KEYED);
    age(10_000);
    String before = scene.everythingOf(work);

    assertThat(run().removedWorks()).isZero();

    assertThat(scene.everythingOf(work)).isEqualTo(before);
    assertThat(rowsOf(work)).startsWith("identity 1");
  }

  @Test
  void repeatedCommandAfterRetention_isStillADuplicateWithTheOriginalIds() throws SQLException {
    WorkRequest<String, String> request =
        DEFINITION.request(scope, CommandId.of("c-1"), IdempotencyKey.of("k-1"), "a note");
    AcceptedWork first = runtime().work().accept(request).orElseThrow();
    scene.takeTo(At.SUCCEEDED, scope, first.workId());
    age(364);
    assertThat(run().removedWorks()).isEqualTo(1);

    AcceptedWork again = runtime().work().accept(request).orElseThrow();

    assertThat(again).isEqualTo(new AcceptedWork(first.workId(), first.activityId(), true));
    assertThat(scene.operator().find(scope, first.workId())).isEmpty();
    assertThat(
            runtime()
                .work()
                .accept(
                    DEFINITION.request(
                        scope, CommandId.of("c-1"), IdempotencyKey.of("k-1"), "another note")))
        .isEqualTo(OperationResult.failure(Problem.COMMAND_CONFLICT));

    age(2);
    assertThat(run().removedIdentities()).isEqualTo(1);
    AcceptedWork afterwards = runtime().work().accept(request).orElseThrow();
    assertThat(afterwards.duplicate()).isFalse();
    assertThat(afterwards.workId()).isNotEqualTo(first.workId());
  }

  @Test
  void identity_outlivesItsWindowAsLongAsItsWork() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_IN_DOUBT, scope, ProviderSafety.MANUAL_RESOLUTION);
    age(10_000);

    assertThat(run().removedIdentities()).isZero();

    assertThat(rowsOf(work)).startsWith("identity 1");
  }

  @Test
  void operatorsCommand_isRememberedForTheIdentityWindow() throws SQLException {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    WorkCommand command = OperatorScene.command(scope, work);
    scene.operator().cancel(command).orElseThrow();
    age(100);
    assertThat(run().removedWorks()).isEqualTo(1);

    assertThat(scene.operator().cancel(command).orElseThrow().repeated()).isTrue();

    age(300);
    assertThat(run().removedCommands()).isEqualTo(1);
    assertThat(scene.operator().cancel(command))
        .isEqualTo(OperationResult.failure(Problem.WORK_ABSENT));
  }

  @Test
  void worker_isForgottenOnceItIsLongGone_unlessItHoldsALease() throws SQLException {
    WorkId work = scene.workAt(At.CLAIMED, scope, ProviderSafety.PROVIDER_KEYED);
    UUID gone = worker("31 days", "gen_random_uuid()");
    UUID recent = worker("29 days", "gen_random_uuid()");
    UUID owner =
        worker(
            "31 days", "(SELECT lease_owner FROM durable.dispatch WHERE work_id = '" + work + "')");

    assertThat(run().removedWorkers()).isEqualTo(1);

    assertThat(workers()).contains(recent.toString(), owner.toString());
    assertThat(workers()).doesNotContain(gone.toString());

    scene.database.execute("UPDATE durable.dispatch SET lease_expires_at = clock_timestamp()");
    assertThat(run().removedWorkers()).isEqualTo(1);
    assertThat(workers()).isEqualTo(recent.toString());
  }

  @Test
  void workerThatReportsJustNow_isNotForgotten() throws Exception {
    UUID back = worker("31 days", "gen_random_uuid()");
    try (Connection reports = scene.database.superuser().getConnection();
        var statement = reports.createStatement()) {
      reports.setAutoCommit(false);
      statement.execute("UPDATE durable.worker SET heartbeat_at = clock_timestamp()");
      Background<RetentionResult> run = Background.start(this::run);
      Waits.untilWaiting(scene.database, 1);
      reports.commit();

      assertThat(run.result().removedWorkers()).isZero();
    }
    assertThat(workers()).isEqualTo(back.toString());
  }

  @Test
  void states_chooseWhatIsRemoved() throws SQLException {
    WorkId succeeded = scene.workAt(At.SUCCEEDED, scope, ProviderSafety.PROVIDER_KEYED);
    WorkId failed = scene.workAt(At.FAILED, scope, ProviderSafety.PROVIDER_KEYED);
    age(31);

    RetentionResult result =
        retention.run(
            POLICY.onlyStates(EnumSet.of(WorkState.SUCCEEDED)), RetentionPosition.START, 1_000);

    assertThat(result.removedWorks()).isEqualTo(1);
    assertThat(scene.operator().find(scope, succeeded)).isEmpty();
    assertThat(scene.operator().find(scope, failed)).isPresent();
  }

  @Test
  void passes_areBoundedAndGoOnWhereTheLastOneEnded() throws SQLException {
    List<ScopeId> scopes = List.of(ScopeId.of("a"), ScopeId.of("b"), ScopeId.of("c"));
    for (ScopeId each : scopes) {
      for (int i = 0; i < 3; i++) {
        scene.workAt(At.FAILED, each, ProviderSafety.PROVIDER_KEYED);
      }
    }
    age(31);

    List<Long> removed = new ArrayList<>();
    Optional<RetentionPosition> at = Optional.of(RetentionPosition.START);
    int passes = 0;
    while (at.isPresent() && passes++ < 50) {
      RetentionResult result = retention.run(POLICY, at.get(), 2);
      assertThat(result.examined()).isLessThanOrEqualTo(2);
      removed.add(result.removedWorks());
      at = result.next();
    }

    assertThat(removed.stream().mapToLong(Long::longValue).sum()).isEqualTo(9);
    assertThat(removed).allMatch(count -> count <= 2);
    assertThat(passes).isLessThan(50);
    assertThat(scene.database.ask("SELECT count(*) FROM durable.work")).isEqualTo("0");
    assertThat(scene.database.ask("SELECT count(*) FROM durable.work_identity")).isEqualTo("9");
  }

  @Test
  void lockedWork_isPassedOver() throws SQLException {
    WorkId held = scene.workAt(At.FAILED, scope, ProviderSafety.PROVIDER_KEYED);
    WorkId free = scene.workAt(At.FAILED, scope, ProviderSafety.PROVIDER_KEYED);
    age(31);
    try (CallerSession other = CallerSession.open(scene.database)) {
      other.execute("SELECT set_config('durable.scope_id', '" + scope.value() + "', true)");
      other.execute("SELECT 1 FROM durable.work WHERE work_id = '" + held + "' FOR NO KEY UPDATE");

      assertThat(run().removedWorks()).isEqualTo(1);
      assertThat(scene.operator().find(scope, free)).isEmpty();
    }
    assertThat(run().removedWorks()).isEqualTo(1);
  }

  @Test
  void scopeThatIsBeingChanged_isPassedOver() throws SQLException {
    scene.workAt(At.FAILED, scope, ProviderSafety.PROVIDER_KEYED);
    age(31);
    try (CallerSession other = CallerSession.open(scene.database)) {
      other.execute(
          "SELECT pg_advisory_xact_lock(durable.scope_lock_key('" + scope.value() + "'))");

      assertThat(run().removedWorks()).isZero();
    }
    assertThat(run().removedWorks()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM durable.work",
        "DELETE FROM durable.work",
        "DELETE FROM durable.work_event",
        "SELECT * FROM durable.work_history",
        "DELETE FROM durable.work_identity",
        "DELETE FROM durable.worker",
        "SELECT * FROM durable.scope",
        "SELECT * FROM durable.bind_next_scope('', true)",
        "SELECT durable.lock_exclusively(1, interval '1 s')",
        "SET ROLE fence_it_owner"
      })
  void retentionRole_mayNot(String command) {
    assertThat(
            Attempt.of(
                scene.database.retention(),
                "SELECT set_config('durable.scope_id', '" + scope.value() + "', true)",
                command))
        .isEqualTo("42501");
  }

  @Test
  void otherRoles_mayNotRemove() {
    String remove = "SELECT * FROM durable.remove_finished_work(86400, '{failed}', NULL, NULL, 10)";
    String forget = "SELECT * FROM durable.remove_identities(8640000, NULL, NULL, 10)";
    String workers = "SELECT durable.remove_workers(86400, 10)";

    for (String call : List.of(remove, forget, workers)) {
      assertThat(Attempt.of(scene.database.retention(), call)).isEqualTo(Attempt.OK);
      assertThat(Attempt.of(scene.database.runtime(), call)).isEqualTo("42501");
      assertThat(Attempt.of(scene.database.operator(), call)).isEqualTo("42501");
      assertThat(Attempt.of(scene.database.dispatcher(), call)).isEqualTo("42501");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "durable.remove_finished_work(3599, '{failed}', NULL, NULL, 10)",
        "durable.remove_finished_work(86400, '{failed,suspended}', NULL, NULL, 10)",
        "durable.remove_finished_work(86400, '{failed}', NULL, NULL, 10001)",
        "durable.remove_identities(604799, NULL, NULL, 10)",
        "durable.remove_workers(3599, 10)",
        "durable.remove_workers(3600, 10001)",
      })
  void functions_refuseWhatThePolicyRefuses(String call) {
    assertThat(Attempt.of(scene.database.retention(), "SELECT * FROM " + call)).isEqualTo("22023");
  }

  @Test
  void policy_keepsIdentitiesLongerThanWork() {
    assertThatThrownBy(() -> RetentionPolicy.of(Duration.ofDays(30), Duration.ofDays(30)))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR100")
        .hasMessageContaining("not longer");
    assertThatThrownBy(() -> RetentionPolicy.of(Duration.ofDays(1), Duration.ofDays(6)))
        .hasMessageContaining("identity window");
    assertThatThrownBy(() -> RetentionPolicy.of(Duration.ofMinutes(59), Duration.ofDays(30)))
        .hasMessageContaining("work window");
    assertThatThrownBy(() -> POLICY.onlyStates(Set.of(WorkState.SUSPENDED)))
        .hasMessageContaining("states");
  }

  /** Registers one that was heard of so long ago. */
  private UUID worker(String ago, String id) {
    return UUID.fromString(
        scene.database.ask(
            """
            INSERT INTO durable.worker (worker_id, incarnation, display_name, epoch, heartbeat_at)
            VALUES (%s, gen_random_uuid(), 'gone', gen_random_uuid(), now() - interval '%s') RETURNING worker_id
            """
                .formatted(id, ago)));
  }

  private String workers() {
    return scene.database.ask("SELECT string_agg(worker_id::text, ' ') FROM durable.worker");
  }

  private RetentionResult run() {
    return retention.run(POLICY, RetentionPosition.START, 10_000);
  }

  private DurableRuntime runtime() {
    return scene.runtime(DEFINITION, invocation -> (work, token) -> WorkExit.succeeded("sent"));
  }

  /** Moves everything that has happened so many days into the past. */
  private void age(int days) {
    scene.database.execute(
        """
        BEGIN;
        SET LOCAL session_replication_role = replica;
        UPDATE durable.work_event SET recorded_at = recorded_at - interval '%1$s days';
        UPDATE durable.work_snapshot SET accepted_at = accepted_at - interval '%1$s days';
        UPDATE durable.permit SET granted_at = granted_at - interval '%1$s days';
        UPDATE durable.work_result SET recorded_at = recorded_at - interval '%1$s days';
        UPDATE durable.work_identity SET accepted_at = accepted_at - interval '%1$s days';
        UPDATE durable.operator_command SET performed_at = performed_at - interval '%1$s days';
        COMMIT
        """
            .formatted(days));
  }

  private String rowsOf(WorkId work) {
    return scene.database.ask(
        """
        SELECT format('identity %%s, others %%s',
            (SELECT count(*) FROM durable.work_identity WHERE work_id = '%1$s'),
            (SELECT count(*) FROM durable.work WHERE work_id = '%1$s')
            + (SELECT count(*) FROM durable.work_snapshot WHERE work_id = '%1$s')
            + (SELECT count(*) FROM durable.work_result WHERE work_id = '%1$s')
            + (SELECT count(*) FROM durable.permit WHERE work_id = '%1$s')
            + (SELECT count(*) FROM durable.work_event WHERE work_id = '%1$s')
            + (SELECT count(*) FROM durable.work_history WHERE work_id = '%1$s'))
        """
            .formatted(work));
  }
}
