package dev.handofffence.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.operator.OperatorScene.At;
import dev.handofffence.work.CommandOutcome;
import dev.handofffence.work.CommandOutcome.Change;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The proof columns of protocol section 9, retries, and what they refuse. */
class ResolutionTest {

  private static final RetryPolicy ONCE =
      RetryPolicy.attempts(1).withDelays(Duration.ofHours(1), Duration.ofHours(1));

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
    "IDEMPOTENT, reconcile",
    "PROVIDER_KEYED, reconcile",
    "RECONCILE_BEFORE_RETRY, reconcile",
    "IDEMPOTENT, resolve",
    "PROVIDER_KEYED, resolve",
    "RECONCILE_BEFORE_RETRY, resolve",
  })
  void applied_endsAsSucceededAlsoWithoutAResult(ProviderSafety safety, String kind)
      throws SQLException {
    WorkId work = inDoubt(safety);

    CommandOutcome outcome = prove(kind, work, Evidence.applied()).orElseThrow();

    assertThat(outcome.change()).isEqualTo(Change.SUCCEEDED);
    assertThat(scene.state(work)).isEqualTo("succeeded");
    assertThat(scene.permits(work)).isEqualTo("applied");
    assertThat(scene.isDispatched(work)).isFalse();
    assertThat(scene.history(work)).endsWith("proven_applied:" + kind);
    assertThat(result(work)).isEqualTo("null");
  }

  @Test
  void appliedWithManualResolution_needsAResult() throws SQLException {
    WorkId work = inDoubt(ProviderSafety.MANUAL_RESOLUTION);
    WorkDefinition<String, String> definition =
        OperatorScene.definition(ProviderSafety.MANUAL_RESOLUTION, ONCE);
    assertRefused("resolve", work, Evidence.applied(), Problem.PROOF_REQUIRED);
    assertRefused("reconcile", work, Evidence.applied(definition, "sent"), Problem.PROOF_REQUIRED);

    assertThat(prove("resolve", work, Evidence.applied(definition, "sent")).isSuccess()).isTrue();

    assertThat(scene.state(work)).isEqualTo("succeeded");
    assertThat(result(work)).isEqualTo("text:sent");
  }

  @Test
  void resultOfAnotherContract_isNoEvidence() throws SQLException {
    WorkId work = inDoubt(ProviderSafety.MANUAL_RESOLUTION);
    WorkDefinition<String, String> other =
        WorkDefinition.named("notes.send", "v2")
            .payload(PayloadCodecs.text())
            .result(PayloadCodecs.text())
            .providerSafety(ProviderSafety.MANUAL_RESOLUTION)
            .build();

    assertRefused("resolve", work, Evidence.applied(other, "sent"), Problem.PROOF_REQUIRED);
  }

  @ParameterizedTest
  @CsvSource({
    "IDEMPOTENT, RETRIED, ready, proven_not_applied",
    "PROVIDER_KEYED, RETRIED, ready, proven_not_applied",
    "RECONCILE_BEFORE_RETRY, RETRIED, ready, proven_not_applied",
    "MANUAL_RESOLUTION, STILL_SUSPENDED, suspended/manual_resolution, suspended_without_effect",
  })
  void notApplied_isRetriedUnlessOnlyAnOperatorMay(
      ProviderSafety safety, Change change, String state, String event) throws SQLException {
    WorkId work = inDoubt(safety);

    CommandOutcome outcome = prove("resolve", work, Evidence.notApplied()).orElseThrow();

    assertThat(outcome.change()).isEqualTo(change);
    assertThat(scene.state(work)).isEqualTo(state);
    assertThat(scene.permits(work)).isEqualTo("no_effect");
    assertThat(scene.isDispatched(work)).isEqualTo(state.equals("ready"));
    assertThat(scene.history(work)).endsWith(event + ":resolve");
  }

  @Test
  void retriedWork_runsWithTheNextAttemptNumber() throws SQLException {
    WorkId work = inDoubt(ProviderSafety.RECONCILE_BEFORE_RETRY);
    prove("reconcile", work, Evidence.notApplied()).orElseThrow();

    Claim claim = scene.permit(scene.claim(scope, work));

    assertThat(claim.attempt()).isEqualTo(2);
    assertThat(scene.permits(work)).isEqualTo("no_effect admitted");
  }

  @Test
  void manualResolution_isRetriedByCommandAlone() throws SQLException {
    WorkId work = inDoubt(ProviderSafety.MANUAL_RESOLUTION);
    assertThat(scene.operator().retry(scene.currentCommand(scope, work)))
        .isEqualTo(OperationResult.failure(Problem.PROOF_REQUIRED));
    prove("resolve", work, Evidence.notApplied()).orElseThrow();

    assertThat(scene.operator().retry(scene.currentCommand(scope, work)).orElseThrow().change())
        .isEqualTo(Change.RETRIED);

    assertThat(scene.state(work)).isEqualTo("ready");
    assertThat(scene.claim(scope, work).attempt()).isEqualTo(2);
  }

  @Test
  void retry_goesBeyondTheAttemptsOfThePolicy() throws SQLException {
    WorkId work = exhausted(ProviderSafety.PROVIDER_KEYED);
    assertThat(scene.state(work)).isEqualTo("suspended/ambiguous_outcome");

    scene.operator().retry(scene.currentCommand(scope, work)).orElseThrow();

    assertThat(scene.history(work)).endsWith("retried_by_command:retry");
    scene.pump(
        OperatorScene.definition(ProviderSafety.PROVIDER_KEYED, ONCE),
        invocation ->
            (envelope, token) ->
                envelope.attempt() == 2 ? WorkExit.succeeded("sent") : WorkExit.ambiguous("no"));
    assertThat(scene.state(work)).isEqualTo("succeeded");
    assertThat(scene.permits(work)).isEqualTo("unresolved applied");
  }

  @Test
  void notApplied_withoutAnAttemptLeftIsFailed() throws SQLException {
    WorkId work = exhausted(ProviderSafety.PROVIDER_KEYED);

    CommandOutcome outcome = prove("reconcile", work, Evidence.notApplied()).orElseThrow();

    assertThat(outcome.change()).isEqualTo(Change.FAILED);
    assertThat(scene.state(work)).isEqualTo("failed");
    assertThat(scene.permits(work)).isEqualTo("no_effect");
  }

  @Test
  void notApplied_carriesOutARequestedCancellation() throws SQLException {
    WorkId work = inDoubt(ProviderSafety.RECONCILE_BEFORE_RETRY);
    scene.operator().cancel(OperatorScene.command(scope, work)).orElseThrow();
    assertThat(scene.operator().retry(scene.currentCommand(scope, work)))
        .isEqualTo(OperationResult.failure(Problem.CANCELLATION_REQUESTED));

    CommandOutcome outcome = prove("reconcile", work, Evidence.notApplied()).orElseThrow();

    assertThat(outcome.change()).isEqualTo(Change.CANCELED);
    assertThat(scene.state(work)).isEqualTo("canceled");
  }

  @Test
  void severalAttemptsInDoubt_areDecidedTogether() throws SQLException {
    WorkId work = scene.workAt(At.CLAIMED_IN_DOUBT, scope, ProviderSafety.PROVIDER_KEYED);
    scene.operator().cancel(OperatorScene.command(scope, work)).orElseThrow();

    prove("resolve", work, Evidence.notApplied()).orElseThrow();

    assertThat(scene.state(work)).isEqualTo("canceled");
    assertThat(scene.permits(work)).isEqualTo("no_effect");
  }

  @Test
  void passedDeadline_leavesReconciliationOpen() throws SQLException {
    WorkId work =
        scene.accept(
            scope,
            OperatorScene.definition(
                ProviderSafety.RECONCILE_BEFORE_RETRY, OperatorScene.MUCH_LATER),
            request -> request.withDeadline(now().plus(1, ChronoUnit.HOURS)));
    scene.takeTo(At.SUSPENDED_IN_DOUBT, scope, work);
    scene.database.execute(
        "UPDATE durable.work SET deadline_at = clock_timestamp() WHERE work_id = '" + work + "'");
    assertThat(scene.operator().retry(scene.currentCommand(scope, work)))
        .isEqualTo(OperationResult.failure(Problem.DEADLINE_PASSED));

    assertThat(prove("reconcile", work, Evidence.applied()).orElseThrow().change())
        .isEqualTo(Change.SUCCEEDED);
  }

  @Test
  void nothingInDoubt_needsNoEvidence() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_FOR_CONTRACT, scope, ProviderSafety.PROVIDER_KEYED);

    assertRefused("resolve", work, Evidence.applied(), Problem.PROOF_REQUIRED);
    assertRefused("reconcile", work, Evidence.notApplied(), Problem.PROOF_REQUIRED);
  }

  @ParameterizedTest
  @EnumSource(names = {"READY", "READY_IN_DOUBT", "CLAIMED", "PERMITTED"})
  void workThatTheExecutorStillHas_isNotResolvedRetriedOrReleased(At at) throws SQLException {
    WorkId work = scene.workAt(at, scope, ProviderSafety.IDEMPOTENT);

    assertRefused("resolve", work, Evidence.applied(), Problem.TRANSITION_REJECTED);
    assertRefused("reconcile", work, Evidence.notApplied(), Problem.TRANSITION_REJECTED);
    String before = scene.everythingOf(work);
    assertThat(scene.operator().retry(scene.currentCommand(scope, work)))
        .isEqualTo(OperationResult.failure(Problem.TRANSITION_REJECTED));
    assertThat(scene.operator().release(scene.currentCommand(scope, work)))
        .isEqualTo(OperationResult.failure(Problem.TRANSITION_REJECTED));
    assertThat(scene.everythingOf(work)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED", "CANCELED"})
  void workThatHasEnded_isLeftAlone(At at) throws SQLException {
    WorkId work = scene.workAt(at, scope, ProviderSafety.PROVIDER_KEYED);

    assertRefused("resolve", work, Evidence.applied(), Problem.WORK_TERMINAL);
    assertThat(scene.operator().retry(scene.currentCommand(scope, work)))
        .isEqualTo(OperationResult.failure(Problem.WORK_TERMINAL));
  }

  @Test
  void missingContract_isReleasedNotRetried() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_FOR_CONTRACT, scope, ProviderSafety.MANUAL_RESOLUTION);
    assertThat(scene.operator().retry(scene.currentCommand(scope, work)))
        .isEqualTo(OperationResult.failure(Problem.TRANSITION_REJECTED));

    assertThat(scene.operator().release(scene.currentCommand(scope, work)).orElseThrow().change())
        .isEqualTo(Change.RELEASED);

    scene.pump(
        OperatorScene.definition(ProviderSafety.MANUAL_RESOLUTION, OperatorScene.MUCH_LATER),
        invocation -> (envelope, token) -> WorkExit.succeeded("sent"));
    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  @Test
  void decisionWithoutARevision_isRefusedBeforeAnySql() {
    WorkId work = new WorkId(java.util.UUID.randomUUID());

    assertThatThrownBy(() -> scene.operator().retry(OperatorScene.command(scope, work)))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR100")
        .hasMessageContaining("no expected revision");
  }

  private WorkId inDoubt(ProviderSafety safety) throws SQLException {
    if (safety == ProviderSafety.RECONCILE_BEFORE_RETRY
        || safety == ProviderSafety.MANUAL_RESOLUTION) {
      return scene.workAt(At.SUSPENDED_IN_DOUBT, scope, safety);
    }
    // These are suspended when no attempt is left; more are allowed then, so that one is.
    WorkId work = exhausted(safety);
    scene.database.execute(
        "UPDATE durable.work SET extra_attempts = 1 WHERE work_id = '" + work + "'");
    return work;
  }

  private WorkId exhausted(ProviderSafety safety) throws SQLException {
    WorkId work =
        scene.accept(scope, OperatorScene.definition(safety, ONCE), UnaryOperator.identity());
    return scene.takeTo(At.SUSPENDED_IN_DOUBT, scope, work);
  }

  private OperationResult<CommandOutcome> prove(String kind, WorkId work, Evidence evidence) {
    return kind.equals("resolve")
        ? scene.operator().resolve(scene.currentCommand(scope, work), evidence)
        : scene.operator().reconcile(scene.currentCommand(scope, work), evidence);
  }

  private void assertRefused(String kind, WorkId work, Evidence evidence, Problem problem) {
    String before = scene.everythingOf(work);

    assertThat(prove(kind, work, evidence)).isEqualTo(OperationResult.failure(problem));

    assertThat(scene.everythingOf(work)).isEqualTo(before);
  }

  private static String result(WorkId work) {
    return scene.database.ask(
        "SELECT max(result_format || ':' || convert_from(result, 'UTF8')) FROM durable.work_result WHERE work_id = '%s'"
            .formatted(work));
  }

  private static Instant now() {
    return Instant.ofEpochSecond(
        Long.parseLong(scene.database.ask("SELECT extract(epoch FROM now())::bigint")));
  }
}
