package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.mark;
import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.RowLocks;
import dev.handofffence.internal.handoff.Invocation;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each way a call can end: what becomes of the callback's writes, the savepoints, the locks and the
 * scope (protocol section 6). The marker is what the caller wrote before.
 */
class HandoffOutcomeTest extends HandoffScene {

  @Test
  void callbackTrue_keepsItsWritesAndTheLocksUntilTheCallerCommits() throws Exception {
    mark(caller.connection(), "true");
    HandoffResult result = hand((tx, token) -> record(tx, "true")).orElseThrow();

    assertThat(result.handoffPrepared()).isTrue();
    assertThat(result.transactionId().value())
        .isEqualTo(Long.parseLong(caller.ask("SELECT pg_current_xact_id()")));
    assertAllLocked();
    assertSettled();
    assertThat(application.isRecorded("true")).isFalse();
    caller.commit();
    assertThat(application.isRecorded("true")).isTrue();
    assertThat(application.isMarked("true")).isTrue();
    assertNothingLocked();
  }

  /** The history of permits is neither judged nor locked. */
  @Test
  void permitOfAnEarlierClaim_isNotLookedAt() throws Exception {
    work.unchecked(
        "INSERT INTO durable.permit (scope_id, work_id, lease_generation, revision, attempt,"
            + " lease_owner, scope_generation, epoch, state, settled_at) SELECT scope_id, work_id, 0, 1, 1,"
            + " gen_random_uuid(), 1, epoch, 'unresolved', clock_timestamp() FROM durable.work WHERE "
            + work.key());

    assertThat(hand((tx, token) -> record(tx, "again")).orElseThrow().handoffPrepared()).isTrue();

    assertThat(database.ask("SELECT count(*) FROM durable.permit WHERE " + work.key()))
        .isEqualTo("2");
    assertThat(
            new RowLocks(database)
                .mayLock("durable.permit", work.key() + " AND lease_generation = 0", "FOR UPDATE"))
        .isTrue();
  }

  @Test
  void callbackFalse_removesItsWritesAndKeepsTheLocks() throws Exception {
    mark(caller.connection(), "false");
    HandoffResult result =
        hand((tx, token) -> record(tx, "false") && refuseAuthority()).orElseThrow();

    assertThat(result.handoffPrepared()).isFalse();
    assertAllLocked();
    assertOnlyTheMarkerIsLeftOf("false");
  }

  @Test
  void refusalBeforeTheCallback_leavesNothingOfTheCall() throws Exception {
    mark(caller.connection(), "refused");
    work.update(Row.WORK, "lease_generation = 2");

    assertThat(handWithoutReachingTheCallback())
        .isEqualTo(OperationResult.failure(Problem.CLAIM_LOST));
    assertNothingLocked();
    assertOnlyTheMarkerIsLeftOf("refused");
  }

  @Test
  void refusalAfterTheCallback_removesItsWritesAndKeepsTheLocks() throws Exception {
    mark(caller.connection(), "late");
    OperationResult<HandoffResult> result =
        hand(
            (tx, token) -> {
              work.update(Row.DISPATCH, "lease_expires_at = clock_timestamp()");
              return record(tx, "late");
            });

    assertThat(result).isEqualTo(OperationResult.failure(Problem.LEASE_EXPIRED));
    assertAllLocked();
    assertOnlyTheMarkerIsLeftOf("late");
  }

  @Test
  void invocationThatEndsDuringTheCallback_isALateRefusal() throws Exception {
    mark(caller.connection(), "ended");
    Invocation invocation = work.invocation();
    OperationResult<HandoffResult> result =
        invocation.run(
            () ->
                invocation
                    .fence()
                    .execute(
                        caller.connection(),
                        (tx, token) -> {
                          invocation.end();
                          return record(tx, "ended");
                        },
                        CancellationToken.none()));

    assertThat(result).isEqualTo(OperationResult.failure(Problem.NO_LIVE_INVOCATION));
    assertAllLocked();
    assertOnlyTheMarkerIsLeftOf("ended");
  }

  static Stream<Throwable> throwables() {
    return Stream.of(
        new IOException("checked"),
        new SQLException("of the callback's own"),
        new DataAccessException("of jOOQ"),
        new IllegalArgumentException("unchecked"),
        new CancellationException("of the callback's own"),
        new AssertionError("an Error"));
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void callbackThrows_removesItsWritesKeepsTheLocksAndThrowsTheSame(Throwable thrown)
      throws Exception {
    String operation = thrown.getClass().getSimpleName();
    mark(caller.connection(), operation);

    assertThatThrownBy(() -> hand((tx, token) -> record(tx, operation) && raise(thrown)))
        .isSameAs(thrown)
        .hasNoSuppressedExceptions();
    assertAllLocked();
    assertOnlyTheMarkerIsLeftOf(operation);
  }

  @Test
  void callbackThrowsItsOwnSqlError_leavesAUsableTransaction() throws Exception {
    mark(caller.connection(), "sql error");

    assertThatThrownBy(() -> hand((tx, token) -> record(tx, "sql error") && fail(tx)))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22012"));
    assertAllLocked();
    assertOnlyTheMarkerIsLeftOf("sql error");
  }

  @Test
  void callbackSwallowsAnSqlError_isAViolationAndNeverSuccess() throws Exception {
    mark(caller.connection(), "swallowed");

    Throwable thrown =
        catchThrowable(
            () ->
                hand(
                    (tx, token) -> {
                      record(tx, "swallowed");
                      assertThatThrownBy(() -> fail(tx)).isInstanceOf(SQLException.class);
                      return true;
                    }));

    assertThat(thrown)
        .isInstanceOf(HandoffViolationException.class)
        .hasMessageContaining("swallowed an SQL error")
        .hasCauseInstanceOf(SQLException.class);
    assertAllLocked();
    assertOnlyTheMarkerIsLeftOf("swallowed");
  }

  @Test
  void tokenCancelledByTheCallback_removesEverythingOfTheCall() throws Exception {
    mark(caller.connection(), "cancelled");
    CancellationSource source = new CancellationSource();

    assertThatThrownBy(
            () ->
                hand(
                    (tx, token) -> {
                      record(tx, "cancelled");
                      source.cancel();
                      return true;
                    },
                    source.token()))
        .isInstanceOf(CancellationException.class);
    assertNothingLocked();
    assertOnlyTheMarkerIsLeftOf("cancelled");
  }

  @Test
  void callbackThrowsAfterCancellation_ridesSuppressedOnTheCancellation() throws Exception {
    mark(caller.connection(), "cancelled, thrown");
    CancellationSource source = new CancellationSource();
    IOException thrown = new IOException("gave up");

    assertThatThrownBy(
            () ->
                hand(
                    (tx, token) -> {
                      record(tx, "cancelled, thrown");
                      source.cancel();
                      throw thrown;
                    },
                    source.token()))
        .isInstanceOf(CancellationException.class)
        .hasSuppressedException(thrown);
    assertNothingLocked();
    assertOnlyTheMarkerIsLeftOf("cancelled, thrown");
  }

  @Test
  void tokenCancelledAfterTheDecision_doesNotTakeItBack() throws Exception {
    CancellationSource source = new CancellationSource();
    HandoffResult result = hand((tx, token) -> record(tx, "decided"), source.token()).orElseThrow();
    source.cancel();

    assertThat(result.handoffPrepared()).isTrue();
    assertAllLocked();
    assertSettled();
    caller.commit();
    assertThat(application.isRecorded("decided")).isTrue();
  }

  /** Also the end of the test's transaction. */
  private void assertOnlyTheMarkerIsLeftOf(String operation) throws SQLException {
    assertSettled();
    caller.commit();
    assertThat(application.isRecorded(operation)).isFalse();
    assertThat(application.isMarked(operation)).isTrue();
  }

  private void assertSettled() throws SQLException {
    assertThat(caller.scope()).isEmpty();
    assertThat(caller.ask("SELECT coalesce(current_setting('durable.handoff', true), '')"))
        .isEmpty();
    assertSavepointsReleased();
  }

  private static boolean refuseAuthority() {
    return false;
  }

  private static boolean fail(Connection transaction) throws SQLException {
    try (var statement = transaction.createStatement()) {
      return statement.execute("SELECT 1/0");
    }
  }

  /** Throws anything as it is: the callback's type parameter covers checked exceptions. */
  private static boolean raise(Throwable thrown) throws Exception {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (Exception) thrown;
  }
}
