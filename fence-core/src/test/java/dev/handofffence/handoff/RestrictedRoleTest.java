package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationToken;
import dev.handofffence.fixture.PermittedWork;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The role that applications use can do what a handoff needs, and cannot step around it, not even
 * from inside a callback, where the Work's scope is set.
 */
class RestrictedRoleTest extends HandoffScene {

  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE durable.mine (n integer)",
        "ALTER TABLE durable.work DISABLE ROW LEVEL SECURITY",
        "DROP POLICY scope_isolation ON durable.work",
        "DROP FUNCTION durable.refuse_change() CASCADE",
        "SET row_security = off; SELECT count(*) FROM durable.work",
        "UPDATE durable.store SET active_epoch = gen_random_uuid()",
        "UPDATE durable.scope SET generation = generation + 1",
        "UPDATE durable.permit SET lease_owner = gen_random_uuid()",
        "DELETE FROM durable.permit",
        "UPDATE durable.work SET deadline_at = NULL",
        "DELETE FROM durable.work_event",
        "TRUNCATE durable.work_event",
        "SET ROLE fence_it_owner",
        "SET SESSION AUTHORIZATION fence_it_owner"
      })
  void callback_isDenied(String sql) {
    assertThatThrownBy(() -> hand((tx, token) -> run(sql)))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(INSUFFICIENT_PRIVILEGE));
  }

  @Test
  void callback_seesAndChangesItsOwnScopeOnly() throws Exception {
    PermittedWork others = PermittedWork.create(database);
    work.handOff(
        caller.connection(),
        (tx, token) -> {
          assertThat(caller.ask("SELECT string_agg(work_id::text, ' ') FROM durable.work"))
              .isEqualTo(work.claim().workId().toString());
          assertThat(changeDispatchOf(work)).isEqualTo(1);
          assertThat(changeDispatchOf(others)).isZero();
          return true;
        },
        CancellationToken.none());
  }

  @Test
  void callback_cannotWriteIntoAnotherScope() {
    assertThatThrownBy(
            () ->
                hand(
                    (tx, token) ->
                        run(
                            "INSERT INTO durable.work (scope_id, work_id, scope_generation, epoch)"
                                + " VALUES ('tenant-x', gen_random_uuid(), 1, gen_random_uuid())")))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(INSUFFICIENT_PRIVILEGE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"scope", "work", "work_snapshot", "dispatch", "permit"})
  void outsideOfAHandoff_noRowIsVisible(String table) throws Exception {
    assertThat(caller.ask("SELECT count(*) FROM durable." + table)).isEqualTo("0");
  }

  private boolean run(String sql) throws SQLException {
    caller.execute(sql);
    return true;
  }

  private int changeDispatchOf(PermittedWork target) throws SQLException {
    try (var statement = caller.connection().createStatement()) {
      return statement.executeUpdate(
          "UPDATE durable.dispatch SET due_at = due_at WHERE " + target.key());
    }
  }
}
