package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.fixture.ApplicationSchema;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.fixture.RowLocks;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * A database for the class; for each test a permitted Work and a caller with an open transaction.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class HandoffScene {

  DurableDatabase database;
  ApplicationSchema application;
  RowLocks locks;
  PermittedWork work;
  CallerSession caller;

  @BeforeAll
  void createDatabase() {
    database = DurableDatabase.create();
    application = ApplicationSchema.create(database);
    locks = new RowLocks(database);
  }

  @AfterAll
  void dropDatabase() {
    database.close();
  }

  @BeforeEach
  void openTransaction() throws SQLException {
    work = PermittedWork.create(database);
    caller = CallerSession.open(database);
    // A wait that a test does not expect fails it instead of hanging.
    caller.execute("SET lock_timeout = '3s'");
    caller.commit();
  }

  @AfterEach
  void closeTransaction() throws SQLException {
    caller.close();
  }

  /** One call of the fence in the caller's transaction, inside a live invocation. */
  <X extends Exception> OperationResult<HandoffResult> hand(ConnectionHandoffCallback<X> callback)
      throws Exception {
    return hand(callback, CancellationToken.none());
  }

  <X extends Exception> OperationResult<HandoffResult> hand(
      ConnectionHandoffCallback<X> callback, CancellationToken token) throws Exception {
    return work.run(fence -> fence.execute(caller.connection(), callback, token));
  }

  /** A call that ends before its callback. */
  OperationResult<HandoffResult> handWithoutReachingTheCallback() throws Exception {
    return hand(
        (transaction, token) -> {
          throw new AssertionError("The callback must not run");
        });
  }

  /** Both savepoints of the call are released, and the transaction goes on. */
  void assertSavepointsReleased() throws SQLException {
    for (String savepoint : new String[] {"durable_op", "durable_cb"}) {
      caller.execute("SAVEPOINT probe");
      assertThatThrownBy(() -> caller.execute("RELEASE SAVEPOINT " + savepoint))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("3B001"));
      caller.execute("ROLLBACK TO SAVEPOINT probe");
      caller.execute("RELEASE SAVEPOINT probe");
    }
  }

  /** The call has left no lock of its own: neither on rows nor on epoch and scope. */
  void assertNothingLocked() {
    assertThat(locks.lockedRowsOf(work)).isEmpty();
    assertThat(locks.epochIsLocked()).isFalse();
    assertThat(locks.scopeIsLocked(work)).isFalse();
  }

  /** All rows of the Work, its scope and the epoch are locked. */
  void assertAllLocked() {
    assertThat(locks.lockedRowsOf(work)).containsExactly(PermittedWork.Row.values());
    assertThat(locks.epochIsLocked()).isTrue();
    assertThat(locks.scopeIsLocked(work)).isTrue();
  }
}
