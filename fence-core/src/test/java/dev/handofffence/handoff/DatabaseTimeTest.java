package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.fixture.DatabaseClock;
import dev.handofffence.fixture.PermittedWork.Row;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Leases and deadlines are judged by the database's clock, at the entry and again after the
 * callback. The clock is stopped and moved by hand; the lease of a new Work ends one hour after its
 * now.
 */
class DatabaseTimeTest extends HandoffScene {

  private static final Duration LEASE = Duration.ofHours(1);
  private static final Duration TICK = Duration.ofMillis(1);

  private DatabaseClock clock;

  @BeforeAll
  void stopTheClock() {
    clock = DatabaseClock.stop(database);
  }

  @Test
  void jvmClockHoursAhead_doesNotEndALease() throws Exception {
    clock.advance(Duration.ofHours(-7));
    work.update(Row.DISPATCH, "lease_expires_at = clock_timestamp() + interval '1 hour'");
    deadlineIn("1 hour");
    assertThat(handWhilePasses(LEASE.minus(TICK)).orElseThrow().handoffPrepared()).isTrue();
  }

  @Test
  void jvmClockHoursBehind_doesNotProlongALease() throws Exception {
    clock.advance(Duration.ofHours(14));
    work.update(Row.DISPATCH, "lease_expires_at = clock_timestamp() + interval '1 hour'");
    assertThat(handWhilePasses(LEASE)).isEqualTo(refusal(Problem.LEASE_EXPIRED));
    assertThat(handWithoutReachingTheCallback()).isEqualTo(refusal(Problem.LEASE_EXPIRED));
  }

  @Test
  void leaseThatEndsDuringTheCallback_isRefused() throws Exception {
    assertThat(handWhilePasses(LEASE)).isEqualTo(refusal(Problem.LEASE_EXPIRED));
  }

  @Test
  void leaseThatEndsATickLater_isGood() throws Exception {
    assertThat(handWhilePasses(LEASE.minus(TICK)).orElseThrow().handoffPrepared()).isTrue();
  }

  @Test
  void leaseThatEndedBeforeTheCall_isRefusedBeforeTheCallback() throws Exception {
    clock.advance(LEASE);
    assertThat(handWithoutReachingTheCallback()).isEqualTo(refusal(Problem.LEASE_EXPIRED));
  }

  @Test
  void leaseRenewedDuringTheCallback_isGood() throws Exception {
    OperationResult<HandoffResult> result =
        hand(
            (tx, token) -> {
              clock.advance(LEASE);
              work.update(Row.DISPATCH, "lease_expires_at = clock_timestamp() + interval '1 hour'");
              return record(tx, work.scopeId());
            });
    assertThat(result.orElseThrow().handoffPrepared()).isTrue();
  }

  @Test
  void deadlineThatPassesDuringTheCallback_isRefused() throws Exception {
    deadlineIn("30 minutes");
    assertThat(handWhilePasses(Duration.ofMinutes(30))).isEqualTo(refusal(Problem.DEADLINE_PASSED));
  }

  @Test
  void deadlineATickLater_isGood() throws Exception {
    deadlineIn("30 minutes");
    assertThat(handWhilePasses(Duration.ofMinutes(30).minus(TICK)).isSuccess()).isTrue();
  }

  @Test
  void deadlineThatPassedBeforeTheCall_isRefusedBeforeTheCallback() throws Exception {
    deadlineIn("0");
    assertThat(handWithoutReachingTheCallback()).isEqualTo(refusal(Problem.DEADLINE_PASSED));
  }

  @Test
  void leaseExpiry_winsOverAnElapsedDeadline() throws Exception {
    deadlineIn("30 minutes");
    assertThat(handWhilePasses(LEASE)).isEqualTo(refusal(Problem.LEASE_EXPIRED));
  }

  @Test
  void noDeadline_neverPasses() throws Exception {
    work.update(Row.DISPATCH, "lease_expires_at = lease_expires_at + interval '99 years'");
    assertThat(handWhilePasses(Duration.ofDays(36_000)).isSuccess()).isTrue();
    clock.advance(Duration.ofDays(-36_000));
  }

  private OperationResult<HandoffResult> handWhilePasses(Duration time) throws Exception {
    return hand(
        (tx, token) -> {
          clock.advance(time);
          return record(tx, work.scopeId());
        });
  }

  private void deadlineIn(String interval) {
    work.update(Row.WORK, "deadline_at = clock_timestamp() + interval '" + interval + "'");
  }

  private static OperationResult<HandoffResult> refusal(Problem problem) {
    return OperationResult.failure(problem);
  }
}
