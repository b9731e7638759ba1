package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.mark;
import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.fixture.ApplicationSchema;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.RowLocks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each way a call can end: the callback's writes, savepoints, locks and scope (section 6). */
class HandoffOutcomeTest {

  private static DurableDatabase database;
  private static ApplicationSchema application;
  private static RowLocks locks;

  private PermittedWork work;
  private CallerSession caller;

  @BeforeAll
  static void createDatabase() {
    database = DurableDatabase.create();
    application = ApplicationSchema.create(database);
    locks = new RowLocks(database);
  }

  @AfterAll
  static void dropDatabase() {
    database.close();
  }

  @BeforeEach
  void openTransaction() throws Exception {
    work = PermittedWork.create(database);
    caller = CallerSession.open(database);
  }

  @AfterEach
  void closeTransaction() throws Exception {
    caller.close();
  }

  @Test
  void callbackTrue_keepsItsWritesAndTheLocksUntilTheCallerCommits() throws Exception {
    mark(caller.connection(), "true");
    OperationResult<HandoffResult> result = hand("true", true);

    assertThat(result.orElseThrow().handoffPrepared()).isTrue();
    assertThat(result.orElseThrow().transactionId().value())
        .isEqualTo(Long.parseLong(caller.ask("SELECT pg_current_xact_id()")));
    assertThat(locks.lockedRowsOf(work)).containsExactly(Row.values());
    assertThat(caller.scope()).isEmpty();
    caller.commit();
    assertThat(application.isRecorded("true")).isTrue();
    assertThat(application.isMarked("true")).isTrue();
    assertThat(locks.lockedRowsOf(work)).isEmpty();
  }

  @Test
  void callbackFalse_removesItsWritesAndKeepsTheLocks() throws Exception {
    mark(caller.connection(), "false");
    OperationResult<HandoffResult> result = hand("false", false);

    assertThat(result.orElseThrow().handoffPrepared()).isFalse();
    assertThat(locks.lockedRowsOf(work)).containsExactly(Row.values());
    assertThat(caller.scope()).isEmpty();
    caller.commit();
    assertThat(application.isRecorded("false")).isFalse();
    assertThat(application.isMarked("false")).isTrue();
  }

  @Test
  void refusal_leavesNothingOfTheCallAndTheCallersWritesAlone() throws Exception {
    mark(caller.connection(), "refused");
    work.update(Row.WORK, "lease_generation = 2");
    OperationResult<HandoffResult> result = hand("refused", true);

    assertThat(result).isEqualTo(OperationResult.failure(Problem.CLAIM_LOST));
    assertThat(locks.lockedRowsOf(work)).isEmpty();
    assertThat(locks.epochIsLocked()).isFalse();
    assertThat(locks.scopeIsLocked(work)).isFalse();
    assertThat(caller.scope()).isEmpty();
    caller.commit();
    assertThat(application.isRecorded("refused")).isFalse();
    assertThat(application.isMarked("refused")).isTrue();
  }

  private OperationResult<HandoffResult> hand(String operation, boolean answer) throws Exception {
    return work.run(
        fence ->
            fence.execute(
                caller.connection(),
                (transaction, token) -> record(transaction, operation) && answer,
                CancellationToken.none()));
  }
}
