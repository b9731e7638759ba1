package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.mark;
import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationSource;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.Rival;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An error of PostgreSQL is not a refusal: it comes out as itself, SQLSTATE intact, and leaves a
 * usable transaction with the caller's scope and earlier writes.
 */
class SqlStateTest extends HandoffScene {

  private static final String RAISE = "SET LOCAL app.raise = '%s'";

  /** Lets a session have the fence's reads of a table fail with an SQLSTATE of its choice. */
  @BeforeAll
  void letReadsFail() {
    database.execute(
        """
        CREATE FUNCTION app.raise() RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
          IF coalesce(current_setting('app.raise', true), '') <> '' THEN
            RAISE EXCEPTION 'raised for the test' USING ERRCODE = current_setting('app.raise');
          END IF;
          RETURN true;
        END $$;
        CREATE POLICY raise ON durable.permit AS RESTRICTIVE USING (app.raise());
        CREATE POLICY raise ON durable.dispatch AS RESTRICTIVE FOR SELECT
            USING (coalesce(current_setting('durable.handoff', true), '') = '' OR app.raise())
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"42501", "40001", "40P01", "55P03", "57014", "57P01", "08006", "XX000"})
  void errorOfTheEntry_comesOutAsItself(String state) throws Exception {
    mark(caller.connection(), "entry " + state);
    caller.execute(RAISE.formatted(state));

    assertFails(state, this::handWithoutReachingTheCallback);
    assertNothingLocked();
    assertUsable("entry " + state);
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "55P03", "57014", "57P01", "08006", "XX000"})
  void errorOfTheFinalCheck_comesOutAsItself(String state) throws Exception {
    mark(caller.connection(), "exit " + state);
    caller.execute("SET LOCAL app.raise = ''");

    assertFails(
        state,
        () ->
            hand(
                (tx, token) -> {
                  caller.execute(RAISE.formatted(state));
                  return record(tx, "exit " + state);
                }));
    assertAllLocked();
    assertUsable("exit " + state);
  }

  @ParameterizedTest
  @ValueSource(strings = {"42501", "40001", "40P01", "55P03", "57014", "57P01", "08006", "XX000"})
  void errorOfTheCallback_isTheSameInstance(String state) throws Exception {
    mark(caller.connection(), "callback " + state);
    List<SQLException> thrown = new ArrayList<>();

    assertThatThrownBy(
            () ->
                hand(
                    (tx, token) -> {
                      record(tx, "callback " + state);
                      caller.execute(RAISE.formatted(state));
                      return failAndRemember(thrown);
                    }))
        .isSameAs(thrown.get(0))
        .hasNoSuppressedExceptions();
    assertThat(thrown.get(0).getSQLState()).isEqualTo(state);
    assertAllLocked();
    assertUsable("callback " + state);
  }

  @Test
  void lockTimeout_is55P03() throws Exception {
    caller.execute("SET lock_timeout = '10ms'");
    assertFailsWhileARivalHoldsTheRows("55P03");
  }

  /** The caller's token is there and not cancelled: the server's cancel stays what it is. */
  @Test
  void statementTimeout_is57014AndNotACancellation() throws Exception {
    caller.execute("SET statement_timeout = '50ms'");
    assertFailsWhileARivalHoldsTheRows("57014");
  }

  @Test
  void missingGrant_is42501() throws Exception {
    mark(caller.connection(), "grant");
    withoutGrant(() -> assertFails("42501", this::handWithoutReachingTheCallback));
    assertNothingLocked();
    assertUsable("grant");
  }

  @Test
  void grantRevokedDuringTheCallback_is42501AndNoViolation() throws Exception {
    mark(caller.connection(), "revoked");
    withoutGrantAfterTheEntry(
        revoke ->
            assertFails(
                "42501",
                () ->
                    hand(
                        (tx, token) -> {
                          revoke.run();
                          return record(tx, "revoked");
                        })));
    assertUsable("revoked");
  }

  private void assertFailsWhileARivalHoldsTheRows(String state) throws Exception {
    mark(caller.connection(), "waited " + state);
    caller.commit();
    try (Rival rival = Rival.open(database)) {
      rival.hold(work, EnumSet.allOf(Row.class));
      assertFails(state, () -> hand((tx, token) -> true, new CancellationSource().token()));
    }
    assertNothingLocked();
    assertUsable("waited " + state);
  }

  private void withoutGrant(Runnable test) {
    withoutGrantAfterTheEntry(
        revoke -> {
          revoke.run();
          test.run();
        });
  }

  private void withoutGrantAfterTheEntry(Consumer<Runnable> test) {
    try {
      test.accept(
          () -> database.execute("REVOKE SELECT ON durable.work FROM " + DurableDatabase.RUNTIME));
    } finally {
      database.execute("GRANT SELECT ON durable.work TO " + DurableDatabase.RUNTIME);
    }
  }

  private boolean failAndRemember(List<SQLException> thrown) throws SQLException {
    try {
      caller.execute("SELECT app.raise()");
      return true;
    } catch (SQLException e) {
      thrown.add(e);
      throw e;
    }
  }

  private static void assertFails(String state, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo(state))
        .hasCauseInstanceOf(SQLException.class)
        .hasNoSuppressedExceptions();
  }

  /** Also the end of the test's transaction. */
  private void assertUsable(String operation) throws SQLException {
    assertThat(caller.scope()).isEmpty();
    assertSavepointsReleased();
    caller.commit();
    assertThat(application.isMarked(operation)).isTrue();
    assertThat(application.isRecorded(operation)).isFalse();
  }
}
