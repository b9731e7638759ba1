package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.fixture.ApplicationSchema;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.TestRole;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import org.jooq.Configuration;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultConnectionProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A callback that breaks the rules of protocol section 10 is found out, and nothing is prepared.
 */
class CallbackViolationTest extends HandoffScene {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "SET LOCAL durable.scope_id = 'tenant-x'    | durable.scope_id",
        "SET durable.scope_id = 'tenant-x'          | durable.scope_id",
        "RESET durable.scope_id                     | durable.scope_id",
        "SET LOCAL search_path = app                | search_path",
        "SET search_path = app                      | search_path",
        "SET TRANSACTION READ ONLY                  | access mode",
        "ROLLBACK TO SAVEPOINT durable_cb           | savepoint",
      })
  void callbackThatChangesTheSession_isAViolationAndEverythingIsPutBack(String sql, String named)
      throws Exception {
    String searchPath = caller.ask("SHOW search_path");

    assertThatThrownBy(() -> hand((tx, token) -> record(tx, "violation") && run(tx, sql)))
        .isInstanceOf(HandoffViolationException.class)
        .hasMessageContaining(named);
    assertAllLocked();
    assertSavepointsReleased();
    assertThat(caller.scope()).isEmpty();
    assertThat(caller.ask("SHOW search_path")).isEqualTo(searchPath);
    caller.commit();
    assertThat(application.isRecorded("violation")).isFalse();
    assertThat(caller.scope()).isEmpty();
    assertThat(caller.ask("SHOW search_path")).isEqualTo(searchPath);
  }

  /** Whether the other role may read what the fence reads, or not. */
  @ParameterizedTest
  @CsvSource({"SET LOCAL ROLE, true", "SET LOCAL ROLE, false", "SET ROLE, true", "SET ROLE, false"})
  void callbackThatChangesTheRole_isAViolationAndTheRoleIsPutBack(String sql, boolean mayRead)
      throws Exception {
    try (TestRole other = TestRole.create(database, "")) {
      database.execute("GRANT %s TO %s".formatted(other.name(), DurableDatabase.RUNTIME));
      if (mayRead) {
        database.execute(
            "GRANT USAGE ON SCHEMA durable TO %1$s; GRANT SELECT ON durable.work, durable.dispatch TO %1$s"
                .formatted(other.name()));
      }
      assertThatThrownBy(
              () -> hand((tx, token) -> record(tx, "role") && run(tx, sql + " " + other.name())))
          .isInstanceOf(HandoffViolationException.class)
          .hasMessageContaining("role");
      assertThat(caller.ask("SELECT current_user")).isEqualTo(DurableDatabase.RUNTIME);
      caller.commit();
      assertThat(caller.ask("SELECT current_user")).isEqualTo(DurableDatabase.RUNTIME);
      caller.commit();
    }
    assertThat(application.isRecorded("role")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RELEASE SAVEPOINT durable_cb",
        "RELEASE SAVEPOINT durable_op",
        "ROLLBACK TO SAVEPOINT durable_op",
        "ROLLBACK TO SAVEPOINT callers",
        "COMMIT",
        "COMMIT; BEGIN",
        "COMMIT AND CHAIN",
        "COMMIT; BEGIN; SAVEPOINT durable_op; SAVEPOINT durable_cb",
        "ROLLBACK",
        "ROLLBACK; BEGIN"
      })
  void callbackThatEndsASavepointOrTheTransaction_isNeverSuccess(String sql) throws Exception {
    caller.execute("SAVEPOINT callers");

    assertThatThrownBy(() -> hand((tx, token) -> run(tx, sql)))
        .isInstanceOf(HandoffCleanupException.class)
        .hasMessageContaining("Roll back");
  }

  @Test
  void callbackThatCommitsAndForgesWhatTheFenceLeft_isNeverSuccess() throws Exception {
    String forgery =
        "COMMIT; BEGIN; SAVEPOINT durable_op; SAVEPOINT durable_cb;"
            + " SET LOCAL durable.handoff = 'callback'; SET LOCAL durable.scope_id = '"
            + work.scopeId()
            + "'";

    assertThatThrownBy(() -> hand((tx, token) -> run(tx, forgery)))
        .isInstanceOf(HandoffCleanupException.class)
        .hasMessageContaining("ended the transaction");
  }

  @Test
  void callbackThatForgesWhatTheFenceLeftWithoutItsLocks_isNeverSuccess() throws Exception {
    String forgery =
        "ROLLBACK TO SAVEPOINT durable_op; SAVEPOINT durable_op; SAVEPOINT durable_cb;"
            + " SET LOCAL durable.handoff = 'callback'; SET LOCAL durable.scope_id = '"
            + work.scopeId()
            + "'";

    assertThatThrownBy(() -> hand((tx, token) -> run(tx, forgery)))
        .isInstanceOf(HandoffViolationException.class)
        .hasMessageContaining("savepoint");
    assertThat(caller.scope()).isEmpty();
  }

  @Test
  void callbackThatCommits_isNeverSuccess() throws Exception {
    assertThatThrownBy(() -> hand((tx, token) -> then(tx::commit)))
        .isInstanceOf(HandoffCleanupException.class);
  }

  @Test
  void callbackThatRollsBack_isNeverSuccess() throws Exception {
    assertThatThrownBy(() -> hand((tx, token) -> then(tx::rollback)))
        .isInstanceOf(HandoffCleanupException.class);
  }

  @Test
  void callbackThatTurnsAutocommitOn_isNeverSuccess() throws Exception {
    assertThatThrownBy(() -> hand((tx, token) -> then(() -> tx.setAutoCommit(true))))
        .isInstanceOf(HandoffCleanupException.class);
  }

  @Test
  void callbackThatClosesTheConnection_isNeverSuccess() throws Exception {
    assertThatThrownBy(() -> hand((tx, token) -> then(tx::close)))
        .isInstanceOf(HandoffCleanupException.class);
  }

  /**
   * What it wrote before is out of reach of a rollback: only when all is kept, that is harmless.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "RELEASE SAVEPOINT durable_cb; SAVEPOINT durable_cb",
        "RELEASE SAVEPOINT durable_op; SAVEPOINT durable_op; SAVEPOINT durable_cb"
      })
  void callbackThatPutsItsOwnSavepointInPlace_isFoundOutWhenItsWritesMustGo(String sql) {
    assertThatThrownBy(() -> hand((tx, token) -> record(tx, "replaced") && !run(tx, sql)))
        .isInstanceOf(HandoffCleanupException.class)
        .hasMessageContaining("Roll back");
  }

  /** Even a caller that commits when it should roll back gets nothing of the call. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "RELEASE SAVEPOINT durable_cb; SAVEPOINT durable_cb",
        "RELEASE SAVEPOINT durable_op; SAVEPOINT durable_op; SAVEPOINT durable_cb"
      })
  void callbackThatPutsItsOwnSavepointInPlaceAndThrows_leavesNothingToCommit(String sql)
      throws Exception {
    IOException thrown = new IOException("denied");

    assertThatThrownBy(
            () ->
                hand(
                    (tx, token) -> {
                      record(tx, sql);
                      run(tx, sql);
                      throw thrown;
                    }))
        .isSameAs(thrown)
        .satisfies(CallbackViolationTest::assertCleanupSuppressed);
    commitAnyhow();
    assertThat(application.isRecorded(sql)).isFalse();
  }

  /** A rollback to the inner savepoint would leave the locks and what was written before it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SAVEPOINT durable_op",
        "RELEASE SAVEPOINT durable_op; SAVEPOINT durable_op",
        "COMMIT; BEGIN; SAVEPOINT durable_op"
      })
  void callbackThatHidesTheOperationsSavepoint_isFoundOutWhenTheTokenIsCancelled(String sql) {
    CancellationSource source = new CancellationSource();

    assertThatThrownBy(
            () ->
                hand(
                    (tx, token) -> {
                      record(tx, "hidden " + sql);
                      run(tx, sql);
                      source.cancel();
                      return true;
                    },
                    source.token()))
        .isInstanceOf(HandoffCleanupException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .hasAtLeastOneElementOfType(CancellationException.class));
    assertAborted();
  }

  @Test
  void callbackThatHidesTheOperationsSavepointAndThrowsCancelled_leavesNothingToCommit()
      throws Exception {
    try (CancellationSource source = new CancellationSource()) {
      assertThatThrownBy(
              () ->
                  hand(
                      (tx, token) -> {
                        record(tx, "ghost");
                        run(tx, "SAVEPOINT durable_op");
                        source.cancel();
                        throw new IOException("cancelled");
                      },
                      source.token()))
          .isInstanceOf(HandoffCleanupException.class);
    }
    commitAnyhow();
    assertThat(application.isRecorded("ghost")).isFalse();
  }

  @Test
  void callbackThatChangesTheRoleAndHidesASavepoint_leavesNothingToCommit() throws Exception {
    try (TestRole other = TestRole.create(database, "")) {
      database.execute("GRANT %s TO %s".formatted(other.name(), DurableDatabase.RUNTIME));
      String sql = "SAVEPOINT durable_cb; SET LOCAL ROLE " + other.name();
      assertThatThrownBy(
              () -> hand((tx, token) -> record(tx, "role and savepoint") && run(tx, sql)))
          .isInstanceOf(HandoffCleanupException.class);
      commitAnyhow();
    }
    assertThat(application.isRecorded("role and savepoint")).isFalse();
  }

  @Test
  void callbackThatExchangesTheConnection_isNeverSuccess() throws Exception {
    Configuration configuration =
        new DefaultConfiguration()
            .set(SQLDialect.POSTGRES)
            .set(new DefaultConnectionProvider(caller.connection()));
    try (CallerSession other = CallerSession.open(database)) {
      assertThatThrownBy(
              () ->
                  work.run(
                      fence ->
                          fence.execute(
                              configuration,
                              (c, token) -> {
                                c.set(new DefaultConnectionProvider(other.connection()));
                                return ApplicationSchema.record(c, "exchanged");
                              },
                              CancellationToken.none())))
          .isInstanceOf(HandoffCleanupException.class)
          .hasMessageContaining("exchanged the connection");
    }
  }

  @Test
  void callbackThatCommitsAndThrows_keepsItsExceptionWithTheCleanupSuppressed() throws Exception {
    IOException thrown = new IOException("after commit");

    assertThatThrownBy(
            () ->
                hand(
                    (tx, token) -> {
                      tx.commit();
                      throw thrown;
                    }))
        .isSameAs(thrown)
        .satisfies(CallbackViolationTest::assertCleanupSuppressed);
  }

  private static void assertCleanupSuppressed(Throwable thrown) {
    assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(HandoffCleanupException.class);
  }

  /** The server answers the commit of an aborted transaction by rolling it back. */
  private void commitAnyhow() {
    assertAborted();
    Throwable told = catchThrowable(caller::commit);
    assertThat(told == null || told instanceof SQLException).isTrue();
  }

  private void assertAborted() {
    assertThatThrownBy(() -> caller.execute("SELECT 1"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
  }

  private static boolean run(Connection transaction, String sql) throws SQLException {
    try (var statement = transaction.createStatement()) {
      statement.execute(sql);
      return true;
    }
  }

  @FunctionalInterface
  private interface Misdeed {
    void run() throws SQLException;
  }

  private static boolean then(Misdeed misdeed) throws SQLException {
    misdeed.run();
    return true;
  }
}
