package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.OperationResult;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.Rival;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which locks a handoff takes, in which order and strength, and that a refusal waits for none that
 * lies behind it. Seen from other connections.
 */
class LockOrderTest extends HandoffScene {

  private final ExecutorService helper = Executors.newSingleThreadExecutor();

  /** So that the store row can contradict itself, which its constraint rules out. */
  @BeforeAll
  void dropTheConstraint() {
    database.execute("ALTER TABLE durable.store DROP CONSTRAINT store_versions");
  }

  @AfterAll
  void stopHelper() {
    helper.shutdownNow();
  }

  @Test
  void epoch_isTheFirstLock() throws Exception {
    try (Rival rival = Rival.open(database)) {
      rival.holdEpoch();
      Future<HandoffResult> waiting = handOnTheHelper(rival);

      assertThat(locks.scopeIsLocked(work)).isFalse();
      assertThat(locks.lockedRowsOf(work)).isEmpty();
      assertGoesOnAfter(rival, waiting);
    }
  }

  @Test
  void scope_isLockedAfterTheEpochAndBeforeAnyRow() throws Exception {
    try (Rival rival = Rival.open(database)) {
      rival.holdScope(work);
      Future<HandoffResult> waiting = handOnTheHelper(rival);

      assertThat(locks.epochIsLocked()).isTrue();
      assertThat(locks.lockedRowsOf(work)).isEmpty();
      assertGoesOnAfter(rival, waiting);
    }
  }

  @ParameterizedTest
  @EnumSource
  void row_isLockedAfterThoseBeforeItAndBeforeThoseBehindIt(Row row) throws Exception {
    try (Rival rival = Rival.open(database)) {
      rival.hold(work, Set.of(row));
      Future<HandoffResult> waiting = handOnTheHelper(rival);

      assertThat(locks.epochIsLocked()).isTrue();
      assertThat(locks.scopeIsLocked(work)).isTrue();
      assertThat(locks.lockedRowsOf(work)).isEqualTo(EnumSet.range(Row.WORK, row));
      assertGoesOnAfter(rival, waiting);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusal_neitherWaitsForNorLocksWhatLiesBehindIt(WrongFact fact) throws Exception {
    try (Rival rival = Rival.open(database)) {
      if (fact.stage() == WrongFact.Stage.STORE) {
        rival.holdScope(work);
      }
      rival.hold(work, behind(fact.stage()));
      fact.apply(database, work);

      // A wait would end in 55P03 instead.
      assertThat(handWithoutReachingTheCallback())
          .isEqualTo(OperationResult.failure(fact.problem()));
    } finally {
      WrongFact.repair(database);
    }
    assertNothingLocked();
  }

  @Test
  void openHandoff_letsTheLeaseBeRenewedAndForeignKeysBeChecked() throws Exception {
    hand((tx, token) -> true);

    String key = work.key();
    assertThat(locks.mayLock("durable.dispatch", key, "FOR NO KEY UPDATE")).isTrue();
    assertThat(locks.mayLock("durable.work", key, "FOR KEY SHARE")).isTrue();
    assertThat(locks.mayLock("durable.permit", key, "FOR KEY SHARE")).isTrue();
    work.update(Row.DISPATCH, "lease_expires_at = clock_timestamp() + interval '2 hours'");
  }

  @Test
  void openHandoff_keepsEverybodyFromChangingOrRemovingItsFacts() throws Exception {
    hand((tx, token) -> true);

    String key = work.key();
    assertThat(locks.mayLock("durable.work", key, "FOR NO KEY UPDATE")).isFalse();
    assertThat(locks.mayLock("durable.permit", key, "FOR NO KEY UPDATE")).isFalse();
    assertThat(locks.mayLock("durable.dispatch", key, "FOR UPDATE")).isFalse();
  }

  private static Set<Row> behind(WrongFact.Stage stage) {
    return switch (stage) {
      case STORE, SCOPE -> EnumSet.allOf(Row.class);
      case WORK -> EnumSet.of(Row.DISPATCH, Row.PERMIT);
      case DISPATCH -> EnumSet.of(Row.PERMIT);
      case PERMIT, TIMES -> EnumSet.noneOf(Row.class);
    };
  }

  private Future<HandoffResult> handOnTheHelper(Rival rival) throws Exception {
    int backend = caller.backend();
    caller.commit();
    Future<HandoffResult> waiting = helper.submit(() -> hand((tx, token) -> true).orElseThrow());
    rival.awaitBlocked(backend);
    return waiting;
  }

  private static void assertGoesOnAfter(Rival rival, Future<HandoffResult> waiting)
      throws Exception {
    rival.commit();
    assertThat(waiting.get().handoffPrepared()).isTrue();
  }
}
