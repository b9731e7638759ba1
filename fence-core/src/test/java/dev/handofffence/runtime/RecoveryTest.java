package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.ActivityId;
import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.ExitKind;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of Work whose worker stopped, and of the worker's late reports. */
class RecoveryTest {

  private static PumpScene scene;

  @BeforeAll
  static void open() {
    scene = new PumpScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @ParameterizedTest
  @EnumSource(ProviderSafety.class)
  void workerLostBeforeItsPermit_leavesWorkThatIsSimplyClaimedAgain(ProviderSafety safety)
      throws SQLException {
    Case given = accepted(safety);
    try (OtherWorker lost = new OtherWorker(scene)) {
      lost.claim(given.work);
    }
    scene.expireLease(given.work);

    PumpResult result = given.runtime.pump().runOnce(PumpPass.of(8));

    assertThat(result.succeeded()).isEqualTo(1);
    assertThat(scene.permits(given.work)).isEqualTo("applied");
    assertThat(scene.history(given.work)).isEqualTo("accepted claimed claimed permitted succeeded");
  }

  @ParameterizedTest
  @CsvSource({"IDEMPOTENT", "PROVIDER_KEYED"})
  void workerLostAfterItsPermit_leavesRetryableWorkThatKeepsItsActivityId(ProviderSafety safety)
      throws SQLException {
    Case given = accepted(safety);
    String activity =
        scene.database.ask(
            "SELECT activity_id FROM durable.work_snapshot WHERE work_id = '" + given.work + "'");
    try (OtherWorker lost = new OtherWorker(scene)) {
      lost.claimAndPermit(given.work);
    }
    scene.expireLease(given.work);

    given.runtime.pump().runOnce(PumpPass.of(8));

    assertThat(scene.state(given.work)).isEqualTo("succeeded");
    assertThat(scene.permits(given.work)).isEqualTo("unresolved applied");
    assertThat(scene.history(given.work))
        .isEqualTo("accepted claimed permitted claimed:permit_unresolved permitted succeeded");
    assertThat(given.activities).extracting(ActivityId::toString).containsExactly(activity);
  }

  @ParameterizedTest
  @CsvSource({
    "RECONCILE_BEFORE_RETRY, suspended/reconciliation_required",
    "MANUAL_RESOLUTION, suspended/manual_resolution",
  })
  void workerLostAfterItsPermit_leavesOtherWorkSuspended(ProviderSafety safety, String state)
      throws SQLException {
    Case given = accepted(safety);
    try (OtherWorker lost = new OtherWorker(scene)) {
      lost.claimAndPermit(given.work);
    }
    scene.expireLease(given.work);

    PumpResult result = given.runtime.pump().runOnce(PumpPass.of(8));

    assertThat(result.suspended()).isEqualTo(1);
    assertThat(given.activities).isEmpty();
    assertThat(scene.state(given.work)).isEqualTo(state);
    assertThat(scene.permits(given.work)).isEqualTo("unresolved");
    assertThat(scene.isDispatched(given.work)).isFalse();
  }

  @Test
  void liveLease_isNotTakenOver() throws SQLException {
    Case given = accepted(ProviderSafety.IDEMPOTENT);
    try (OtherWorker owner = new OtherWorker(scene);
        OtherWorker thief = new OtherWorker(scene)) {
      owner.claimAndPermit(given.work);

      assertThat(thief.take(List.of(given.work)).claimed()).isEmpty();
    }
    assertThat(scene.state(given.work)).isEqualTo("permitted");
  }

  @Test
  void lateReport_isKeptBesideAWorkThatSomebodyElseEnded() throws SQLException {
    Case given = accepted(ProviderSafety.PROVIDER_KEYED);
    try (OtherWorker paused = new OtherWorker(scene)) {
      Claim claim = paused.claimAndPermit(given.work);
      scene.expireLease(given.work);
      given.runtime.pump().runOnce(PumpPass.of(8));

      assertThat(paused.succeed(claim)).contains(Ending.QUARANTINED);
    }
    assertThat(scene.state(given.work)).isEqualTo("succeeded");
    assertThat(scene.permits(given.work)).isEqualTo("unresolved applied");
    assertThat(scene.history(given.work)).endsWith("succeeded quarantined:succeeded");
    assertThat(result(given.work)).isEqualTo("sent");
  }

  @Test
  void lateReport_ofALeaseThatIsOver_changesNothingYet() throws SQLException {
    Case given = accepted(ProviderSafety.RECONCILE_BEFORE_RETRY);
    try (OtherWorker paused = new OtherWorker(scene)) {
      Claim claim = paused.claimAndPermit(given.work);
      scene.expireLease(given.work);

      assertThat(paused.succeed(claim)).contains(Ending.QUARANTINED);
    }
    assertThat(scene.state(given.work)).isEqualTo("permitted");
    assertThat(scene.permits(given.work)).isEqualTo("admitted");
  }

  @Test
  void report_whoseAnswerWasLost_mayBeRepeated() throws SQLException {
    Case given = accepted(ProviderSafety.PROVIDER_KEYED);
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claimAndPermit(given.work);

      assertThat(worker.succeed(claim)).contains(Ending.SUCCEEDED);
      assertThat(worker.succeedAgain(claim)).contains(Ending.SUCCEEDED);
    }
    assertThat(scene.history(given.work)).isEqualTo("accepted claimed permitted succeeded");
  }

  @Test
  void lateReport_thatSaysWhatRecoveryDecided_isKeptBesideTheWork() throws SQLException {
    Case given = accepted(ProviderSafety.RECONCILE_BEFORE_RETRY);
    try (OtherWorker paused = new OtherWorker(scene)) {
      Claim claim = paused.claimAndPermit(given.work);
      scene.expireLease(given.work);
      given.runtime.pump().runOnce(PumpPass.of(8));
      assertThat(scene.permits(given.work)).isEqualTo("unresolved");

      assertThat(
              paused.complete(
                  Completion.withoutResult(claim, ExitKind.AMBIGUOUS, "request_timed_out")))
          .contains(Ending.QUARANTINED);
    }
    assertThat(scene.history(given.work)).endsWith("quarantined:request_timed_out");
  }

  @Test
  void permit_isGivenOnce() throws SQLException {
    Case given = accepted(ProviderSafety.PROVIDER_KEYED);
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claimAndPermit(given.work);

      assertThat(worker.permit(claim).permitted()).isEmpty();
    }
    assertThat(scene.permits(given.work)).isEqualTo("admitted");
  }

  private static String result(WorkId work) {
    return scene.database.ask(
        "SELECT convert_from(result, 'UTF8') FROM durable.work_result WHERE work_id = '"
            + work
            + "'");
  }

  private static Case accepted(ProviderSafety safety) {
    WorkDefinition<String, String> definition = PumpScene.definition(safety);
    List<ActivityId> activities = new CopyOnWriteArrayList<>();
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation ->
                (work, cancellation) -> {
                  activities.add(work.activityId());
                  return WorkExit.succeeded("sent");
                });
    return new Case(runtime, scene.accept(runtime, definition), activities);
  }

  private record Case(DurableRuntime runtime, WorkId work, List<ActivityId> activities) {}
}
