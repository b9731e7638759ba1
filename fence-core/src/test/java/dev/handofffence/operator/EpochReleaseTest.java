package dev.handofffence.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.Waits;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.store.UnusableStoreException;
import dev.handofffence.internal.transaction.StoreConnection;
import dev.handofffence.internal.work.Permits;
import dev.handofffence.operator.OperatorScene.At;
import dev.handofffence.work.CommandOutcome.Change;
import dev.handofffence.work.EpochRelease;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.ScopeCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** After a rotation: Work of the old epoch is suspended when met, and released in batches. */
class EpochReleaseTest {

  private final OperatorScene scene = new OperatorScene();
  private final ScopeId scope = OperatorScene.newScope();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void workOfTheOldEpoch_isSuspendedWhenMetAndRunsAfterItsRelease() {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    scene.rotateEpoch();
    pump(ProviderSafety.PROVIDER_KEYED);
    assertThat(scene.state(work)).isEqualTo("suspended/epoch_changed");

    EpochRelease release = scene.operator().releaseEpoch(command(), 10).orElseThrow();

    assertThat(release).isEqualTo(new EpochRelease(1, false, false));
    assertThat(scene.state(work)).isEqualTo("ready");
    assertThat(scene.history(work)).endsWith("suspended:epoch_changed released:release_epoch");
    pump(ProviderSafety.PROVIDER_KEYED);
    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  @Test
  void workThatEndsWhileItsLockIsWaitedFor_isLeftAsItIs() throws Exception {
    WorkId work = scene.accept(scope, ProviderSafety.IDEMPOTENT);
    scene.rotateEpoch();
    try (Connection rival = scene.database.superuser().getConnection();
        var statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute(
          "UPDATE durable.work SET state = 'canceled', revision = revision + 1;"
              + " INSERT INTO durable.work_event (scope_id, work_id, event, revision, state, attempt, lease_generation)"
              + " SELECT scope_id, work_id, 'canceled', revision, state, 0, 0 FROM durable.work");
      statement.execute("DELETE FROM durable.dispatch");
      Background<EpochRelease> release =
          Background.start(() -> scene.operator().releaseEpoch(command(), 10).orElseThrow());
      Waits.untilWaiting(scene.database, 1);
      rival.commit();

      assertThat(release.result()).isEqualTo(new EpochRelease(0, false, false));
    }
    assertThat(scene.state(work)).isEqualTo("canceled");
    assertThat(scene.history(work)).doesNotContain("epoch_released");
  }

  @Test
  void workWhoseLastAttemptNeverRan_runsAfterItsRelease() throws SQLException {
    WorkDefinition<String, String> once =
        OperatorScene.definition(
            ProviderSafety.IDEMPOTENT,
            RetryPolicy.attempts(1).withDelays(Duration.ofHours(1), Duration.ofHours(1)));
    WorkId work = scene.accept(scope, once, UnaryOperator.identity());
    scene.takeTo(At.SUSPENDED_FOR_CONTRACT, scope, work);

    assertThat(scene.operator().release(scene.currentCommand(scope, work)).isSuccess()).isTrue();
    scene.pump(once, invocation -> (envelope, token) -> WorkExit.succeeded("sent"));

    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  @Test
  void workThatNobodyMetYet_isTakenOverAsItIs() throws SQLException {
    WorkId ready = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    WorkId claimed = scene.workAt(At.CLAIMED, scope, ProviderSafety.PROVIDER_KEYED);
    WorkId permitted = scene.workAt(At.PERMITTED, scope, ProviderSafety.MANUAL_RESOLUTION);
    scene.rotateEpoch();

    assertThat(scene.operator().releaseEpoch(command(), 10).orElseThrow().released()).isEqualTo(3);

    assertThat(scene.state(ready)).isEqualTo("ready");
    assertThat(scene.state(claimed)).isEqualTo("claimed");
    assertThat(scene.state(permitted)).isEqualTo("permitted");
    assertThat(scene.history(permitted)).endsWith("epoch_released:release_epoch");
    expireLeases();
    pump(ProviderSafety.PROVIDER_KEYED);
    assertThat(scene.state(ready)).isEqualTo("succeeded");
    assertThat(scene.state(claimed)).isEqualTo("succeeded");
    assertThat(scene.state(permitted)).isEqualTo("suspended/manual_resolution");
  }

  @ParameterizedTest
  @CsvSource({
    "IDEMPOTENT, ready, RELEASED",
    "PROVIDER_KEYED, ready, RELEASED",
    "RECONCILE_BEFORE_RETRY, suspended/reconciliation_required, STILL_SUSPENDED",
    "MANUAL_RESOLUTION, suspended/manual_resolution, STILL_SUSPENDED",
  })
  void effectInDoubt_isNotRepeatedByARelease(ProviderSafety safety, String state, Change change)
      throws SQLException {
    WorkId one = scene.workAt(At.PERMITTED, scope, safety);
    WorkId two = scene.workAt(At.PERMITTED, scope, safety);
    scene.rotateEpoch();
    expireLeases();
    pump(safety);
    assertThat(scene.state(one)).isEqualTo("suspended/epoch_changed");

    assertThat(scene.operator().release(scene.currentCommand(scope, one)).orElseThrow().change())
        .isEqualTo(change);
    assertThat(scene.operator().releaseEpoch(command(), 10).orElseThrow().released()).isEqualTo(1);

    assertThat(scene.state(one)).isEqualTo(state);
    assertThat(scene.state(two)).isEqualTo(state);
    assertThat(scene.isDispatched(one)).isEqualTo(state.equals("ready"));
    assertThat(scene.isDispatched(two)).isEqualTo(state.equals("ready"));
  }

  @Test
  void release_worksInBatchesThatCanBeRepeated() {
    List<WorkId> works = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      works.add(scene.accept(scope, ProviderSafety.PROVIDER_KEYED));
    }
    scene.rotateEpoch();
    pump(ProviderSafety.PROVIDER_KEYED);
    ScopeCommand first = command();

    assertThat(scene.operator().releaseEpoch(first, 2).orElseThrow())
        .isEqualTo(new EpochRelease(2, true, false));
    assertThat(scene.operator().releaseEpoch(first, 2).orElseThrow())
        .isEqualTo(new EpochRelease(2, true, true));
    assertThat(scene.operator().releaseEpoch(command(), 2).orElseThrow())
        .isEqualTo(new EpochRelease(2, true, false));
    assertThat(scene.operator().releaseEpoch(command(), 2).orElseThrow())
        .isEqualTo(new EpochRelease(1, false, false));

    assertThat(works).extracting(scene::state).containsOnly("ready");
  }

  @Test
  void workSuspendedForADecision_belongsToTheNewEpochOnceItIsRetried() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_FOR_CONTRACT, scope, ProviderSafety.PROVIDER_KEYED);
    scene.rotateEpoch();
    assertThat(scene.operator().releaseEpoch(command(), 10).orElseThrow().released()).isZero();

    scene.operator().release(scene.currentCommand(scope, work)).orElseThrow();

    pump(ProviderSafety.PROVIDER_KEYED);
    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  @Test
  void claimOfTheOldEpoch_isLostForGood() throws SQLException {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    StoreIdentity before = scene.store();
    Claim old = scene.claim(scope, work);
    scene.rotateEpoch();
    scene.operator().releaseEpoch(command(), 10).orElseThrow();

    try (StoreConnection connection = new StoreConnection(scene.database.runtime())) {
      assertThatThrownBy(() -> new Permits(before).grant(connection, List.of(old)))
          .isInstanceOfSatisfying(
              UnusableStoreException.class,
              e -> assertThat(e.problem()).isEqualTo(Problem.EPOCH_MISMATCH));
    }
    expireLeases();
    assertThat(scene.claim(scope, work).attempt()).isEqualTo(2);
    assertThat(scene.permits(work)).isEqualTo("null");
  }

  @Test
  void disabledScope_releasesNothing() {
    scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    scene.rotateEpoch();
    scene.operator().disableScope(command(), Duration.ofSeconds(5)).orElseThrow();

    assertThat(scene.operator().releaseEpoch(command(), 10))
        .isEqualTo(OperationResult.failure(Problem.SCOPE_DISABLED));
  }

  @Test
  void limitOutOfRange_isRefused() {
    assertThatThrownBy(() -> scene.operator().releaseEpoch(command(), 0))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR100");
  }

  private ScopeCommand command() {
    return ScopeCommand.of(scope, OperatorScene.newCommand(), "olga", "restored from backup");
  }

  private void expireLeases() {
    scene.database.execute(
        "UPDATE durable.dispatch SET lease_expires_at = clock_timestamp() WHERE lease_owner IS NOT NULL");
  }

  private void pump(ProviderSafety safety) {
    scene.pump(
        OperatorScene.definition(safety, OperatorScene.MUCH_LATER),
        invocation -> (work, token) -> WorkExit.succeeded("sent"));
  }
}
