package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.authorizeAndRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationToken;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.fixture.Waits;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The order of locks is native before application, everywhere. A writer that takes the
 * application's rows first and then meets the fence deadlocks with one that keeps the order:
 * PostgreSQL ends one of them, and it is told so as 40P01. With the order kept on both sides there
 * is no deadlock.
 *
 * <p>{@code -Dfence.deadlock.rounds=10000} for the full count.
 */
class DeadlockPairTest extends HandoffScene {

  private static final int ROUNDS = Integer.getInteger("fence.deadlock.rounds", 1_000);
  private static final String DEADLOCK_DETECTED = "40P01";

  private static final String LOCK_AUTHORITY =
      "SELECT 1 FROM app.authority WHERE operation = 'send' FOR UPDATE";

  private CallerSession nativeFirst;
  private CallerSession applicationFirst;

  @BeforeEach
  void openSessions() throws SQLException {
    database.execute(
        "TRUNCATE app.ledger; INSERT INTO app.authority VALUES ('send', true) ON CONFLICT DO NOTHING");
    nativeFirst = patientSession();
    applicationFirst = patientSession();
  }

  @AfterEach
  void closeSessions() throws SQLException {
    nativeFirst.close();
    applicationFirst.close();
  }

  @Test
  void applicationFirstCallOfTheFence_isThe40P01OfTheFence() throws Exception {
    looksForDeadlocks(applicationFirst);
    applicationFirst.execute(LOCK_AUTHORITY);
    var other = Background.start(() -> handOff(nativeFirst));
    Waits.untilBlockedBy(database, applicationFirst.backend());

    assertThatThrownBy(() -> handOff(applicationFirst))
        .isInstanceOfSatisfying(
            DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo(DEADLOCK_DETECTED));
    assertThat(applicationFirst.scope()).isEmpty();
    applicationFirst.connection().rollback();
    assertThat(other.result()).isTrue();
  }

  @Test
  void nativeFirstCallbackThatMeetsIt_isThe40P01OfTheCallback() throws Exception {
    looksForDeadlocks(nativeFirst);
    int nativeBackend = nativeFirst.backend();
    applicationFirst.execute(LOCK_AUTHORITY);
    CountDownLatch inCallback = new CountDownLatch(1);
    CountDownLatch otherWaits = new CountDownLatch(1);
    var first =
        Background.start(
            () ->
                work.handOff(
                    nativeFirst.connection(),
                    (tx, token) -> {
                      inCallback.countDown();
                      otherWaits.await();
                      return authorizeAndRecord(tx, "send");
                    },
                    CancellationToken.none()));
    inCallback.await();
    var other = Background.start(() -> handOff(applicationFirst));
    Waits.untilBlockedBy(database, nativeBackend);
    otherWaits.countDown();

    assertThatThrownBy(first::result)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(DEADLOCK_DETECTED));
    nativeFirst.connection().rollback();
    assertThat(other.result()).isTrue();
  }

  /** Two handoffs and a writer of the same rows, all of them native first. */
  @Test
  void nativeFirstOnEverySide_neverDeadlocks() throws Exception {
    PermittedWork second = PermittedWork.create(database);
    AtomicInteger rounds = new AtomicInteger();
    try (CallerSession writer = patientSession()) {
      List<Background<Integer>> workers =
          List.of(
              Background.start(() -> inTurns(rounds, nativeFirst, this::handOff)),
              Background.start(() -> inTurns(rounds, applicationFirst, s -> handOff(s, second))),
              Background.start(() -> inTurns(rounds, writer, this::changeWorkAndAuthority)));
      int done = 0;
      for (Background<Integer> worker : workers) {
        done += worker.result();
      }
      assertThat(done).isEqualTo(ROUNDS);
    }
  }

  /** One transaction of a session. */
  private interface Turn {
    void take(CallerSession session) throws Exception;
  }

  private static int inTurns(AtomicInteger rounds, CallerSession session, Turn turn)
      throws Exception {
    looksForDeadlocks(session);
    int own = 0;
    for (; rounds.getAndIncrement() < ROUNDS; own++) {
      turn.take(session);
      session.commit();
    }
    return own;
  }

  private boolean handOff(CallerSession session) throws Exception {
    return handOff(session, work);
  }

  /** Native before application: the fence's locks, then the callback's. */
  private static boolean handOff(CallerSession session, PermittedWork work) throws Exception {
    return work.handOff(
            session.connection(),
            (tx, token) -> authorizeAndRecord(tx, "send"),
            CancellationToken.none())
        .orElseThrow()
        .handoffPrepared();
  }

  /** A writer of the application that also changes the Work, for instance to cancel it. */
  private void changeWorkAndAuthority(CallerSession session) throws SQLException {
    session.execute("SELECT set_config('durable.scope_id', '" + work.scopeId() + "', true)");
    session.execute("SELECT 1 FROM durable.work WHERE " + work.key() + " FOR NO KEY UPDATE");
    session.execute("UPDATE app.authority SET allowed = true WHERE operation = 'send'");
  }

  /** A session of the runtime role that leaves it to others to find a deadlock. */
  private CallerSession patientSession() throws SQLException {
    CallerSession session = CallerSession.open(database.superuser());
    session.execute("SET deadlock_timeout = '1min'; SET ROLE " + DurableDatabase.RUNTIME);
    session.commit();
    return session;
  }

  /** The session finds the deadlock that its own wait completes, and is the one that is ended. */
  private static void looksForDeadlocks(CallerSession session) throws SQLException {
    session.execute(
        "RESET ROLE; SET deadlock_timeout = '10ms'; SET ROLE " + DurableDatabase.RUNTIME);
    session.commit();
  }
}
