package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.record;
import static dev.handofffence.testing.WirePoint.after;
import static dev.handofffence.testing.WirePoint.before;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.Rival;
import dev.handofffence.testing.WireFault;
import dev.handofffence.testing.WirePoint;
import dev.handofffence.testing.WireProxy;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The backend dies, or the connection to it is lost or silent, at some point of a call. The caller
 * is told by the original error or by {@link HandoffCleanupException}, never by a result; and
 * nothing is left in the database.
 */
class KilledBackendTest extends HandoffScene {

  private static final String RELEASE_CALLBACK = "RELEASE SAVEPOINT durable_cb";
  private static final String RELEASE_OPERATION = "RELEASE SAVEPOINT durable_op";

  private WireProxy proxy;
  private int backend;

  @BeforeEach
  void callThroughAProxy() throws SQLException {
    caller.close();
    proxy = database.proxy();
    caller = CallerSession.open(database.through(proxy, DurableDatabase.RUNTIME));
    backend = caller.backend();
  }

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  @Test
  void killedWhileTheEntryWaits_isTheOriginalError() throws Exception {
    try (Rival rival = Rival.open(database)) {
      rival.hold(work, Set.of(Row.WORK));
      var call = Background.start(this::handWithoutReachingTheCallback);
      rival.awaitBlocked(backend);
      kill();
      assertConnectionLost(catchThrowable(call::result));
    }
  }

  @Test
  void killedDuringTheCallback_isTheOriginalErrorAndNeverSuccess() {
    assertConnectionLost(
        catchThrowable(
            () ->
                hand(
                    (tx, token) -> {
                      record(tx, "killed");
                      kill();
                      return true;
                    })));
  }

  @Test
  void killedUnderAStatementOfTheCallback_isTheCallbacksException() {
    Throwable thrown =
        catchThrowable(
            () ->
                hand(
                    (tx, token) -> {
                      kill();
                      return record(tx, "killed");
                    }));
    assertThat(thrown).isInstanceOf(SQLException.class);
    assertThat(thrown.getSuppressed()[0]).isInstanceOf(HandoffCleanupException.class);
  }

  @Test
  void killedBeforeTheCallbackThrows_keepsItsExceptionWithTheCleanupSuppressed() {
    IOException gaveUp = new IOException("gave up");
    assertThatThrownBy(
            () ->
                hand(
                    (tx, token) -> {
                      kill();
                      throw gaveUp;
                    }))
        .isSameAs(gaveUp)
        .satisfies(
            e -> assertThat(e.getSuppressed()[0]).isInstanceOf(HandoffCleanupException.class));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void killedDuringTheCleanup_isACleanupException(boolean answer) throws Exception {
    try (WireFault cleanup =
        proxy.hold(before(answer ? RELEASE_CALLBACK : "ROLLBACK TO SAVEPOINT durable_cb"))) {
      var call = Background.start(() -> hand((tx, token) -> record(tx, "cleanup") && answer));
      cleanup.awaitReached();
      kill();
      cleanup.release();
      assertThatThrownBy(call::result).isExactlyInstanceOf(HandoffCleanupException.class);
    }
  }

  @Test
  void answerOfTheCleanupLost_isACleanupException() {
    proxy.cut(after(RELEASE_OPERATION));
    assertThatThrownBy(() -> hand((tx, token) -> record(tx, "lost")))
        .isExactlyInstanceOf(HandoffCleanupException.class);
  }

  /** Five seconds are the cleanup's own budget, which no setting changes. */
  @Test
  void serverSilentDuringTheCleanup_isACleanupExceptionWithinItsBudget() {
    WirePoint silence = after(RELEASE_OPERATION);
    long start = System.nanoTime();
    try (WireFault silent = proxy.hold(silence)) {
      assertThatThrownBy(() -> hand((tx, token) -> record(tx, "silent")))
          .isExactlyInstanceOf(HandoffCleanupException.class);
      assertThat(silent.isReached()).isTrue();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SAVEPOINT durable_op", "SAVEPOINT durable_cb"})
  void connectionCutDuringTheEntry_isTheOriginalError(String statement) {
    proxy.cut(before(statement));
    assertConnectionLost(catchThrowable(this::handWithoutReachingTheCallback));
  }

  /** Ends the backend as an administrator does, and waits until it is gone with its locks. */
  private void kill() {
    database.ask("SELECT pg_terminate_backend(" + backend + ", 10000)");
  }

  private void assertConnectionLost(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            DataAccessException.class, e -> assertThat(e.sqlState()).matches("57P01|08..."))
        .satisfies(
            e -> assertThat(e.getSuppressed()[0]).isInstanceOf(HandoffCleanupException.class));
  }

  @AfterEach
  void assertNothingIsLeft() {
    kill();
    assertNothingLocked();
    assertThat(database.ask("SELECT count(*) FROM app.ledger")).isEqualTo("0");
  }
}
