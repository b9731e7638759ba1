package dev.handofffence.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.Attempt;
import dev.handofffence.fixture.DurableDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The triggers that take the exclusive locks, so that no writer can forget them. */
class ScopeAndEpochLockTest {

  private static final String BIND = "SELECT set_config('durable.scope_id', 'mine', true)";
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String SCOPE_KEY = "durable.scope_lock_key('mine')";
  private static final String EPOCH_KEY = "durable.epoch_lock_key()";

  private final DurableDatabase database = DurableDatabase.create();

  @BeforeEach
  void fill() {
    ScopedRows.insert(database, "mine");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void scopeChange_holdsTheScopeLockExclusively() throws SQLException {
    try (Connection operator = database.operator().getConnection()) {
      operator.setAutoCommit(false);
      run(operator, BIND);
      run(operator, "UPDATE durable.scope SET state = 'disabled', generation = 2");

      assertThat(modeHeld()).isEqualTo("ExclusiveLock");
      assertThat(sharedLockIsFree(SCOPE_KEY)).isFalse();
      operator.rollback();
    }
    assertThat(sharedLockIsFree(SCOPE_KEY)).isTrue();
  }

  @Test
  void firstUse_holdsTheScopeLockExclusively() throws SQLException {
    try (Connection runtime = database.runtime().getConnection()) {
      runtime.setAutoCommit(false);
      run(runtime, "SELECT set_config('durable.scope_id', 'new', true)");
      run(runtime, "INSERT INTO durable.scope (scope_id) VALUES ('new')");

      assertThat(modeHeld()).isEqualTo("ExclusiveLock");
      assertThat(sharedLockIsFree("durable.scope_lock_key('new')")).isFalse();
      runtime.rollback();
    }
  }

  @Test
  void scopeChange_givesUpAfterItsSliceWhileTheScopeIsInUse() throws SQLException {
    try (Connection runtime = database.runtime().getConnection()) {
      runtime.setAutoCommit(false);
      run(runtime, "SELECT pg_advisory_xact_lock_shared(" + SCOPE_KEY + ")");

      assertThat(
              Attempt.of(
                  database.operator(),
                  BIND,
                  "UPDATE durable.scope SET state = 'disabled', generation = 2"))
          .isEqualTo(LOCK_NOT_AVAILABLE);
      runtime.rollback();
    }
  }

  @Test
  void storeChange_takesTheEpochLockExclusivelyEvenByHand() throws SQLException {
    try (Connection runtime = database.runtime().getConnection()) {
      runtime.setAutoCommit(false);
      run(runtime, "SELECT pg_advisory_xact_lock_shared(" + EPOCH_KEY + ")");

      assertThat(
              Attempt.of(
                  database.superuser(),
                  "UPDATE durable.store SET active_epoch = gen_random_uuid()"))
          .isEqualTo(LOCK_NOT_AVAILABLE);
      runtime.rollback();
    }
    try (Connection owner = database.owner().getConnection()) {
      owner.setAutoCommit(false);
      run(owner, "UPDATE durable.store SET active_epoch = active_epoch");

      assertThat(sharedLockIsFree(EPOCH_KEY)).isFalse();
      owner.rollback();
    }
  }

  @Test
  void scope_changesOnlyWhileActiveAndByOneGeneration() {
    String disable = "UPDATE durable.scope SET state = 'disabled', generation = generation + 1";

    assertThat(Attempt.of(database.operator(), BIND, disable)).isEqualTo(Attempt.OK);
    assertThat(Attempt.of(database.operator(), BIND, disable, disable)).isEqualTo("55000");
    assertThat(
            Attempt.of(
                database.operator(), BIND, "UPDATE durable.scope SET generation = generation + 2"))
        .isEqualTo("55000");
  }

  private String modeHeld() {
    return database.ask(
        """
        SELECT string_agg(mode, ' ') FROM pg_locks
        WHERE locktype = 'advisory' AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """);
  }

  private boolean sharedLockIsFree(String key) {
    return database.ask("SELECT pg_try_advisory_xact_lock_shared(" + key + ")").equals("t");
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
