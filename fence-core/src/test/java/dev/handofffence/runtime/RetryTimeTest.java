package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.ExitKind;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.work.AttemptPlan;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When the next attempt is due, and when there is none (protocol section 8). */
class RetryTimeTest {

  private static final RetryPolicy LONG =
      RetryPolicy.attempts(1_000_000).withDelays(Duration.ofMillis(7), Duration.ofDays(300));

  private static PumpScene scene;

  @BeforeAll
  static void open() {
    scene = new PumpScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  /** Both from one sample of the database's clock; the sessions are in a zone that changes it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 31, 32, 33, 40, 63, 64, 65, 1000, 999_999})
  void exponentialDelay_isThatOfThePolicyAfterEachAttempt(int attempt) throws SQLException {
    WorkId work = accept(LONG, UnaryOperator.identity());
    attemptsBefore(work, attempt - 1);

    assertThat(failOnce(work)).isEqualTo(Ending.RETRIED);

    assertThat(delay(work)).isEqualTo(LONG.delayAfter(attempt));
  }

  @Test
  void attemptPlan_usesItsNextSlot() throws SQLException {
    WorkId work = accept(LONG, r -> r.withAttemptPlan(plan(0, 60, 24 * 60 * 200)));

    failOnce(work);

    assertThat(sinceAcceptance(work)).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void attemptPlan_passesOverSlotsThatAreOver() throws SQLException {
    WorkId work = accept(LONG, r -> r.withAttemptPlan(plan(0, 60, 120, 24 * 60 * 200)));
    acceptedEarlier(work, "121 minutes");

    failOnce(work);

    assertThat(sinceAcceptance(work)).isEqualTo(Duration.ofDays(200));
  }

  @Test
  void attemptPlan_givesEachAttemptASlotOfItsOwn() throws SQLException {
    WorkId work = accept(LONG, r -> r.withAttemptPlan(plan(0, 60, 120)));
    // The first attempt was lost and claimed again at once, within the first slot's time.
    attemptsBefore(work, 1);

    failOnce(work);

    assertThat(sinceAcceptance(work)).isEqualTo(Duration.ofHours(2));
  }

  @Test
  void attemptPlan_keepsTheSlotOfAnAttemptThatWasLostBeforeItsPermit() throws SQLException {
    WorkId work = accept(LONG, r -> r.withAttemptPlan(plan(0, 60, 120)));
    loseBeforePermit(work);

    failOnce(work);

    assertThat(sinceAcceptance(work)).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void exponentialDelay_isNotThatOfAnAttemptThatWasLostBeforeItsPermit() throws SQLException {
    WorkId work = accept(LONG, UnaryOperator.identity());
    loseBeforePermit(work);

    failOnce(work);

    assertThat(delay(work)).isEqualTo(LONG.delayAfter(1));
  }

  @Test
  void attemptPlan_withoutAFurtherSlot_fails() throws SQLException {
    WorkId work = accept(LONG, r -> r.withAttemptPlan(plan(0, 60, 120)));
    acceptedEarlier(work, "120 minutes 30 seconds");

    assertThat(failOnce(work)).isEqualTo(Ending.FAILED);
  }

  @Test
  void circuitOfAPlan_closesTheFirstAttemptToo() throws SQLException {
    WorkId work = accept(LONG, r -> r.withAttemptPlan(plan(0, 60)));
    acceptedEarlier(work, "62 minutes");

    try (OtherWorker worker = new OtherWorker(scene)) {
      assertThat(worker.classify(work)).isEqualTo(Ending.FAILED);
    }
    assertThat(scene.history(work)).endsWith("failed:circuit_elapsed");
  }

  /** No attempt could start in time, so the Work need not wait to learn it. */
  @ParameterizedTest
  @CsvSource({"deadline_at, 400 milliseconds, FAILED", "deadline_at, 1 hour, RETRIED"})
  void retryPastTheDeadline_isNotScheduled(String column, String left, Ending ending)
      throws SQLException {
    RetryPolicy minute =
        RetryPolicy.attempts(5).withDelays(Duration.ofMinutes(1), Duration.ofMinutes(1));
    WorkId work = accept(minute, UnaryOperator.identity());
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claimAndPermit(work);
      scene.change("work", work, column + " = clock_timestamp() + interval '" + left + "'");

      assertThat(worker.complete(failed(claim))).contains(ending);
    }
  }

  @Test
  void retryPastTheHorizon_isNotScheduled() throws SQLException {
    RetryPolicy minute =
        RetryPolicy.attempts(5)
            .withDelays(Duration.ofMinutes(1), Duration.ofMinutes(1))
            .withElapsedHorizon(Duration.ofSeconds(59));
    WorkId work = accept(minute, UnaryOperator.identity());

    assertThat(failOnce(work)).isEqualTo(Ending.FAILED);
  }

  @Test
  void work_isNotClaimedBeforeItIsDue() throws SQLException {
    WorkId work = accept(LONG, r -> r.withDelay(Duration.ofHours(1)));

    try (OtherWorker worker = new OtherWorker(scene)) {
      assertThat(worker.take(List.of(work)).claimed()).isEmpty();
    }
    assertThat(scene.state(work)).isEqualTo("ready");
  }

  private static void attemptsBefore(WorkId work, int attempts) {
    scene.change(
        "work",
        work,
        "attempt = %1$d, permitted_attempts = %1$d, lease_generation = %1$d".formatted(attempts));
  }

  private static void loseBeforePermit(WorkId work) throws SQLException {
    try (OtherWorker lost = new OtherWorker(scene)) {
      lost.claim(work);
    }
    scene.expireLease(work);
  }

  private static Ending failOnce(WorkId work) throws SQLException {
    try (OtherWorker worker = new OtherWorker(scene)) {
      return worker.complete(failed(worker.claimAndPermit(work))).orElseThrow();
    }
  }

  private static Completion failed(Claim claim) {
    return Completion.withoutResult(claim, ExitKind.RETRY_BEFORE_EFFECT, "busy");
  }

  private static WorkId accept(
      RetryPolicy retry, UnaryOperator<WorkRequest<String, String>> change) {
    WorkDefinition<String, String> definition =
        PumpScene.definition(ProviderSafety.IDEMPOTENT, retry, LeasePolicy.standard());
    DurableRuntime runtime =
        scene.runtime(definition, i -> (work, cancellation) -> WorkExit.succeeded("sent"));
    return scene.accept(runtime, definition, change);
  }

  private static AttemptPlan plan(long... minutes) {
    List<Duration> offsets = Arrays.stream(minutes).mapToObj(Duration::ofMinutes).toList();
    return new AttemptPlan(offsets, offsets.get(offsets.size() - 1).plusMinutes(1));
  }

  private static void acceptedEarlier(WorkId work, String interval) {
    scene.change("work_snapshot", work, "accepted_at = accepted_at - interval '" + interval + "'");
  }

  private static Duration delay(WorkId work) {
    return difference("d.due_at", "max(p.settled_at)", work);
  }

  private static Duration sinceAcceptance(WorkId work) {
    return difference("d.due_at", "max(s.accepted_at)", work);
  }

  private static Duration difference(String later, String earlier, WorkId work) {
    String micros =
        scene.database.ask(
            """
            SELECT (extract(epoch FROM %1$s) * 1000000)::bigint - (extract(epoch FROM %2$s) * 1000000)::bigint
            FROM durable.dispatch d
            JOIN durable.work_snapshot s USING (scope_id, work_id)
            JOIN durable.permit p USING (scope_id, work_id)
            WHERE work_id = '%3$s'
            GROUP BY d.due_at
            """
                .formatted(later, earlier, work));
    return Duration.ofNanos(Long.parseLong(micros) * 1000);
  }
}
