package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.authorizeAndRecord;
import static dev.handofffence.fixture.ApplicationSchema.mark;
import static dev.handofffence.fixture.ApplicationSchema.record;
import static dev.handofffence.testing.WirePoint.before;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.Rival;
import dev.handofffence.testing.WireFault;
import dev.handofffence.testing.WireProxy;
import java.sql.SQLException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The caller's token may be cancelled at any point of a call. Before the final decision that leaves
 * nothing of the call; after it, it changes nothing; and no later statement of the connection is
 * ever hit.
 */
class CancellationPointsTest extends HandoffScene {

  private CancellationSource source;

  /** What a rival can hold so that the entry waits. */
  enum Lock {
    EPOCH,
    SCOPE,
    WORK,
    DISPATCH,
    PERMIT;

    void hold(Rival rival, PermittedWork work) throws SQLException {
      switch (this) {
        case EPOCH -> rival.holdEpoch();
        case SCOPE -> rival.holdScope(work);
        default -> rival.hold(work, Set.of(Row.valueOf(name())));
      }
    }
  }

  @BeforeEach
  void createSource() {
    source = new CancellationSource();
  }

  @Test
  void cancelBeforeTheCall_reachesNeitherServerNorCallback() throws Exception {
    source.cancel();
    try (WireProxy proxy = database.proxy()) {
      useProxy(proxy);
      mark(caller.connection(), "before the call");
      assertThat(
              proxy.count(
                  () -> assertCancelled(() -> handWithoutReachingTheCallback(source.token()))))
          .matches(count -> count.executes() == 0);
      assertOnlyTheMarkerIsLeftOf("before the call");
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancelWhileWaitingForALock_endsTheWait(Lock lock) throws Exception {
    mark(caller.connection(), "waiting for " + lock);
    int backend = caller.backend();
    try (Rival rival = Rival.open(database)) {
      lock.hold(rival, work);
      var call = Background.start(() -> handWithoutReachingTheCallback(source.token()));
      rival.awaitBlocked(backend);
      source.cancel();
      assertCancelled(call::result);
    }
    assertOnlyTheMarkerIsLeftOf("waiting for " + lock);
  }

  /** The server ignores a cancel request while it has nothing to do: the request is repeated. */
  @Test
  void cancelBeforeTheStatementArrives_isNotLost() throws Exception {
    try (WireProxy proxy = database.proxy();
        Rival rival = Rival.open(database)) {
      useProxy(proxy);
      mark(caller.connection(), "early");
      rival.hold(work, Set.of(Row.WORK));
      WireFault entry = proxy.hold(before("SAVEPOINT durable_op"));
      var call = Background.start(() -> handWithoutReachingTheCallback(source.token()));
      entry.awaitReached();
      source.cancel();
      entry.release();
      assertCancelled(call::result);
      rival.commit();
      assertOnlyTheMarkerIsLeftOf("early");
    }
  }

  @Test
  void cancelWhileTheCallbackWaits_endsItsWait() throws Exception {
    application.authorize("blocked");
    mark(caller.connection(), "blocked");
    int backend = caller.backend();
    try (Rival rival = Rival.open(database)) {
      rival.execute("SELECT 1 FROM app.authority WHERE operation = 'blocked' FOR UPDATE");
      var call =
          Background.start(
              () -> hand((tx, token) -> authorizeAndRecord(tx, "blocked"), source.token()));
      rival.awaitBlocked(backend);
      source.cancel();
      assertThatThrownBy(call::result)
          .isExactlyInstanceOf(CancellationException.class)
          .satisfies(
              e ->
                  assertThat(e.getSuppressed()[0])
                      .isInstanceOfSatisfying(
                          SQLException.class, s -> assertThat(s.getSQLState()).isEqualTo("57014")));
    }
    assertOnlyTheMarkerIsLeftOf("blocked");
  }

  @Test
  void cancelAfterTheCallback_isSeenBeforeTheDecision() throws Exception {
    try (WireProxy proxy = database.proxy()) {
      useProxy(proxy);
      mark(caller.connection(), "undecided");
      WireFault recheck = proxy.hold(before(CancellationPointsTest::putsTheScopeBack));
      var call = Background.start(() -> hand((tx, t) -> record(tx, "undecided"), source.token()));
      recheck.awaitReached();
      source.cancel();
      recheck.release();
      assertCancelled(call::result);
      assertOnlyTheMarkerIsLeftOf("undecided");
    }
  }

  @Test
  void cancelAfterTheDecision_changesNothing() throws Exception {
    try (WireProxy proxy = database.proxy()) {
      useProxy(proxy);
      WireFault settlement = proxy.hold(before("RELEASE SAVEPOINT durable_cb"));
      var call = Background.start(() -> hand((tx, t) -> record(tx, "decided"), source.token()));
      settlement.awaitReached();
      source.cancel();
      settlement.release();
      assertThat(call.result().orElseThrow().handoffPrepared()).isTrue();
      caller.commit();
      assertThat(application.isRecorded("decided")).isTrue();
    }
  }

  /** An interrupt is not a cancellation, and costs nobody the connection. */
  @Test
  void interruptedThread_finishesTheCallAndStaysInterrupted() throws Exception {
    Thread.currentThread().interrupt();
    try {
      assertThat(hand((tx, token) -> Thread.currentThread().isInterrupted()).orElseThrow())
          .matches(HandoffResult::handoffPrepared);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(caller.ask("SELECT 'usable'")).isEqualTo("usable");
  }

  /** The call is all or nothing, and what follows on the connection is never hit. */
  @Test
  void cancelAtAnyMoment_neverHitsALaterStatement() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    caller.execute("SELECT 1");
    int cancelled = 0;
    for (int round = 0; round < 200; round++) {
      String operation = "round " + round;
      CancellationSource once = new CancellationSource();
      AtomicBoolean over = new AtomicBoolean();
      // However slow the machine is, some calls are over before anybody cancels.
      long delay = round % 10 == 0 ? TimeUnit.HOURS.toNanos(1) : random.nextInt(10_000_000);
      var canceller = Background.start(() -> cancelAfter(once, delay, over));
      boolean prepared = isPrepared(operation, random.nextInt(40), once);
      for (int later = 0; later < 3; later++) {
        assertThat(
                caller.ask("SELECT count(*) FROM app.ledger WHERE operation = '" + operation + "'"))
            .as("seed %s, %s", seed, operation)
            .isEqualTo(prepared ? "1" : "0");
      }
      over.set(true);
      canceller.result();
      caller.commit();
      cancelled += prepared ? 0 : 1;
    }
    assertThat(cancelled).as("rounds that were cancelled, seed %s", seed).isBetween(1, 199);
  }

  /** The callback lasts about as long as it takes until it is made to end. */
  private boolean isPrepared(String operation, int millis, CancellationSource once)
      throws Exception {
    try {
      return hand((tx, token) -> record(tx, operation) && rest(millis), once.token())
          .orElseThrow()
          .handoffPrepared();
    } catch (CancellationException e) {
      return false;
    }
  }

  private boolean rest(int millis) throws SQLException {
    caller.execute("SELECT pg_sleep(" + millis + " / 1000.0)");
    return true;
  }

  /** Cancels after so long, or when the call is over. */
  private static boolean cancelAfter(CancellationSource source, long nanos, AtomicBoolean over) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0 && !over.get()) {
      Thread.onSpinWait();
    }
    source.cancel();
    return true;
  }

  /** The last statement of the round trip after the callback. */
  private static boolean putsTheScopeBack(String sql) {
    return sql.contains("set_config")
        && sql.contains("durable.scope_id")
        && sql.contains("durable.handoff");
  }

  private void useProxy(WireProxy proxy) throws SQLException {
    caller.close();
    caller = CallerSession.open(database.through(proxy, DurableDatabase.RUNTIME));
  }

  private OperationResult<HandoffResult> handWithoutReachingTheCallback(CancellationToken token)
      throws Exception {
    return hand(
        (tx, t) -> {
          throw new AssertionError("The callback must not run");
        },
        token);
  }

  private static void assertCancelled(ThrowingCallable call) {
    assertThatThrownBy(call).isExactlyInstanceOf(CancellationException.class);
  }

  /** Also the end of the test's transaction. */
  private void assertOnlyTheMarkerIsLeftOf(String operation) throws SQLException {
    assertNothingLocked();
    assertSavepointsReleased();
    caller.commit();
    assertThat(application.isMarked(operation)).isTrue();
    assertThat(application.isRecorded(operation)).isFalse();
  }
}
