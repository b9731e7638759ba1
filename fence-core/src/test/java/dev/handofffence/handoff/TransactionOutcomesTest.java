package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationToken;
import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.TransactionId;
import dev.handofffence.fixture.ApplicationSchema;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.internal.handoff.StoreTransactionOutcomes;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What became of a handoff's transaction, and that nothing but COMMITTED lets an effect through.
 */
class TransactionOutcomesTest {

  private static DurableDatabase database;
  private static TransactionOutcomes outcomes;

  @BeforeAll
  static void createDatabase() {
    database = DurableDatabase.create();
    ApplicationSchema.create(database);
    outcomes = new StoreTransactionOutcomes(database.runtime(), database.store());
  }

  @AfterAll
  static void dropDatabase() {
    database.close();
  }

  @Test
  void openTransaction_isInProgressAndMayNotBeSent() throws Exception {
    try (CallerSession caller = CallerSession.open(database)) {
      TransactionId id = prepare(caller, "open");

      assertThat(outcomes.outcomeOf(id)).isEqualTo(TransactionOutcome.IN_PROGRESS);
      assertThatThrownBy(() -> outcomes.requireCommitted(id))
          .isInstanceOfSatisfying(
              HandoffNotCommittedException.class,
              e -> assertThat(e.outcome()).isEqualTo(TransactionOutcome.IN_PROGRESS));
    }
  }

  @Test
  void committedTransaction_mayBeSent() throws Exception {
    try (CallerSession caller = CallerSession.open(database)) {
      TransactionId id = prepare(caller, "committed");
      caller.commit();

      assertThat(outcomes.outcomeOf(id)).isEqualTo(TransactionOutcome.COMMITTED);
      outcomes.requireCommitted(id);
    }
  }

  @Test
  void rolledBackTransaction_isAborted() throws Exception {
    TransactionId id;
    try (CallerSession caller = CallerSession.open(database)) {
      id = prepare(caller, "rolled back");
    }
    assertThat(outcomes.outcomeOf(id)).isEqualTo(TransactionOutcome.ABORTED);
  }

  @Test
  void errorSwallowedBeforeCommit_isAbortedAlthoughCommitReturnsNormally() throws Exception {
    try (CallerSession caller = CallerSession.open(database)) {
      TransactionId id = prepare(caller, "swallowed");
      assertThatThrownBy(() -> caller.execute("SELECT 1/0")).isInstanceOf(SQLException.class);
      caller.commit();

      assertThat(outcomes.outcomeOf(id)).isEqualTo(TransactionOutcome.ABORTED);
    }
  }

  @Test
  void idFromTheFuture_isNoLongerKnown() { // as after a restore
    TransactionId id = new TransactionId(database.store(), (1L << 40) + 5_000);
    assertThat(outcomes.outcomeOf(id)).isEqualTo(TransactionOutcome.NO_LONGER_KNOWN);
  }

  @Test
  void transactionOfAnotherStoreOrEpoch_isRefused() {
    StoreIdentity store = database.store();
    assertProblem(new StoreIdentity(UUID.randomUUID(), store.epoch()), Problem.STORE_MISMATCH);
    assertProblem(new StoreIdentity(store.storeId(), UUID.randomUUID()), Problem.EPOCH_MISMATCH);
  }

  @Test
  void rotatedEpoch_isRefused() {
    try (DurableDatabase rotated = DurableDatabase.create()) {
      TransactionOutcomes before = new StoreTransactionOutcomes(rotated.runtime(), rotated.store());
      rotated.execute("UPDATE durable.store SET active_epoch = gen_random_uuid()");
      assertThatThrownBy(() -> before.outcomeOf(new TransactionId(rotated.store(), 1L << 40)))
          .isInstanceOfSatisfying(
              DurableException.class,
              e -> assertThat(e.problem()).isEqualTo(Problem.EPOCH_MISMATCH));
    }
  }

  private static void assertProblem(StoreIdentity store, Problem problem) {
    assertThatThrownBy(() -> outcomes.outcomeOf(new TransactionId(store, 1)))
        .isInstanceOfSatisfying(
            DurableException.class, e -> assertThat(e.problem()).isEqualTo(problem));
  }

  private static TransactionId prepare(CallerSession caller, String operation) throws Exception {
    return PermittedWork.create(database)
        .run(
            fence ->
                fence.execute(
                    caller.connection(),
                    (transaction, token) -> ApplicationSchema.record(transaction, operation),
                    CancellationToken.none()))
        .orElseThrow()
        .transactionId();
  }
}
