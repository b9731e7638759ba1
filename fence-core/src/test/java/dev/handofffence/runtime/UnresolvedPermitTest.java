package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.ExitKind;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Failed and canceled say that nothing was sent. With an older permit whose effect is unknown, all
 * that leads there leads to suspended instead.
 */
class UnresolvedPermitTest {

  private static PumpScene scene;

  @BeforeAll
  static void open() {
    scene = new PumpScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  /** The second attempt is the last. */
  @ParameterizedTest
  @CsvSource({
    "RETRY_BEFORE_EFFECT, true, SUSPENDED, suspended/ambiguous_outcome, unresolved no_effect",
    "FAILED_WITHOUT_EFFECT, true, SUSPENDED, suspended/ambiguous_outcome, unresolved no_effect",
    "AMBIGUOUS, true, SUSPENDED, suspended/ambiguous_outcome, unresolved unresolved",
    "RETRY_BEFORE_EFFECT, false, FAILED, failed, no_effect no_effect",
    "FAILED_WITHOUT_EFFECT, false, FAILED, failed, no_effect no_effect",
    "AMBIGUOUS, false, SUSPENDED, suspended/ambiguous_outcome, no_effect unresolved",
  })
  void lastAttempt_endsAsTheEarlierPermitAllows(
      ExitKind exit, boolean unresolved, Ending ending, String state, String permits)
      throws SQLException {
    WorkId work = afterOneAttempt(unresolved);
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claimAndPermit(work);

      assertThat(worker.complete(Completion.withoutResult(claim, exit, "code"))).contains(ending);
    }
    assertThat(scene.state(work)).isEqualTo(state);
    assertThat(scene.permits(work)).isEqualTo(permits);
    assertThat(scene.isDispatched(work)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "true, SUSPENDED, suspended/ambiguous_outcome",
    "false, CANCELED, canceled",
  })
  void cancellationDuringTheAttempt_endsAsTheEarlierPermitAllows(
      boolean unresolved, Ending ending, String state) throws SQLException {
    WorkId work = afterOneAttempt(unresolved);
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claimAndPermit(work);
      scene.requestCancellation(work);

      Completion denied =
          Completion.withoutResult(claim, ExitKind.RETRY_BEFORE_EFFECT, "handoff_refused");
      assertThat(worker.complete(denied)).contains(ending);
    }
    assertThat(scene.state(work)).isEqualTo(state);
  }

  @ParameterizedTest
  @ValueSource(strings = {"attempts", "deadline", "horizon", "cancel"})
  void waitingWork_whoseTimeIsUp_isSuspendedWithAnUnresolvedPermit(String limit)
      throws SQLException {
    WorkId work = afterOneAttempt(true);
    reach(limit, work);

    assertThat(settle(work)).isEqualTo(Ending.SUSPENDED);
    assertThat(scene.state(work)).isEqualTo("suspended/ambiguous_outcome");
    assertThat(scene.permits(work)).isEqualTo("unresolved");
  }

  @ParameterizedTest
  @CsvSource({
    "attempts, failed, failed:attempts_exhausted",
    "deadline, failed, failed:deadline_passed",
    "horizon, failed, failed:elapsed_horizon",
    "cancel, canceled, canceled:cancellation_requested",
  })
  void waitingWork_whoseTimeIsUp_endsWhenNothingWasSent(String limit, String state, String event)
      throws SQLException {
    WorkId work = afterOneAttempt(false);
    reach(limit, work);

    settle(work);

    assertThat(scene.state(work)).isEqualTo(state);
    assertThat(scene.history(work)).endsWith(event);
    assertThat(scene.isDispatched(work)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "true, suspended/ambiguous_outcome",
    "false, failed",
  })
  void workLostTooOftenBeforeItsPermit_endsAsTheEarlierPermitAllows(
      boolean unresolved, String state) throws SQLException {
    WorkId work = afterOneAttempt(unresolved);
    try (OtherWorker lost = new OtherWorker(scene)) {
      lost.claim(work);
    }
    scene.change("work", work, "attempt = 102, lease_generation = 102");
    scene.change("dispatch", work, "lease_generation = 102");
    scene.expireLease(work);

    settle(work);

    assertThat(scene.state(work)).isEqualTo(state);
    assertThat(scene.history(work)).endsWith(":attempts_exhausted");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lastAttempt_lostBeforeItsPermit_isNotUsedUp(boolean unresolved) throws SQLException {
    WorkId work = afterOneAttempt(unresolved);
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim lost = worker.claim(work);
      scene.expireLease(work);
      Claim claim = worker.claimAndPermit(work);

      assertThat(claim.attempt()).isEqualTo(lost.attempt() + 1);
      assertThat(worker.succeed(claim)).contains(Ending.SUCCEEDED);
    }
  }

  @Test
  void permittedAttempt_isUsedUpWhateverCameBefore() throws SQLException {
    WorkId work = afterOneAttempt(true);
    try (OtherWorker lost = new OtherWorker(scene)) {
      lost.claim(work);
      scene.expireLease(work);
      lost.claimAndPermit(work);
    }
    scene.expireLease(work);

    assertThat(settle(work)).isEqualTo(Ending.SUSPENDED);
    assertThat(scene.history(work)).endsWith("suspended:attempts_exhausted");
  }

  @ParameterizedTest
  @CsvSource({
    "true, suspended/ambiguous_outcome",
    "false, canceled",
  })
  void cancellationBeforeThePermit_isCarriedOutInsteadOfIt(boolean unresolved, String state)
      throws SQLException {
    WorkId work = afterOneAttempt(unresolved);
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claim(work);
      scene.requestCancellation(work);

      assertThat(worker.permit(claim).permitted()).isEmpty();
    }
    assertThat(scene.state(work)).isEqualTo(state);
  }

  private static Ending settle(WorkId work) throws SQLException {
    try (OtherWorker worker = new OtherWorker(scene)) {
      return worker.classify(work);
    }
  }

  private static void reach(String limit, WorkId work) {
    switch (limit) {
      case "attempts" -> scene.change("work_snapshot", work, "max_attempts = 1");
      case "deadline" ->
          scene.change("work", work, "deadline_at = clock_timestamp() - interval '1 second'");
      case "horizon" ->
          scene.change("work_snapshot", work, "accepted_at = accepted_at - interval '2 hours'");
      default -> scene.requestCancellation(work);
    }
  }

  /** A Work that waits for its second and last attempt. */
  private static WorkId afterOneAttempt(boolean unresolved) {
    RetryPolicy twice =
        new RetryPolicy(
            2, Duration.ofMillis(1), Duration.ofMillis(1), Optional.of(Duration.ofHours(1)));
    WorkDefinition<String, String> definition =
        PumpScene.definition(ProviderSafety.PROVIDER_KEYED, twice, LeasePolicy.standard());
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation ->
                (work, cancellation) ->
                    unresolved ? WorkExit.ambiguous("lost") : WorkExit.retryBeforeEffect("busy"));
    WorkId work = scene.accept(runtime, definition);
    runtime.pump().runOnce(PumpPass.of(1));
    scene.makeDue(work);
    return work;
  }
}
