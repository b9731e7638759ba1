package dev.handofffence.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.Attempt;
import dev.handofffence.fixture.DurableDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nobody may, and what the service roles may not although their own scope is bound. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PrivilegesTest {

  private static final String DENIED = "42501";
  private static final String BOUND = "SELECT set_config('durable.scope_id', 'mine', true)";

  private final DurableDatabase database = DurableDatabase.create();

  @BeforeAll
  void fill() {
    ScopedRows.insert(database, "mine");
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void publicRole_hasNothingInTheSchema() {
    assertThat(database.ask(PublicPrivileges.QUERY)).isEqualTo("nothing");
  }

  @Test
  void functions_pinTheirSearchPath() {
    // Bodies written in SQL with RETURN are parsed once and need none.
    assertThat(
            database.ask(
                """
                SELECT coalesce(string_agg(proname, ' '), 'all') FROM pg_proc
                WHERE pronamespace = 'durable'::regnamespace AND prosqlbody IS NULL
                  AND NOT coalesce(proconfig, '{}') @> ARRAY ['search_path=""']
                """))
        .isEqualTo("all");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE durable.mine (x integer)",
        "CREATE FUNCTION durable.mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
        "CREATE INDEX ON durable.work (state)",
        "ALTER TABLE durable.work DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE durable.work NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE durable.scope DISABLE TRIGGER ALL",
        "CREATE POLICY mine ON durable.work USING (true)",
        "DROP TABLE durable.work_event",
        "DROP VIEW durable.work_history",
        "TRUNCATE durable.work_event",
        "DELETE FROM durable.work_event", // a condition would need the right to read as well
        "UPDATE durable.work_event SET code = 'x'",
        "SELECT * FROM durable.work_event",
        "SELECT * FROM durable.work_history",
        "UPDATE durable.work_snapshot SET accepted_at = now(), entry = 1 WHERE scope_id = 'mine'",
        "UPDATE durable.permit SET granted_at = now() WHERE scope_id = 'mine'",
        "UPDATE durable.permit SET revision = 9 WHERE scope_id = 'mine'",
        "UPDATE durable.permit SET entry = 9 WHERE scope_id = 'mine'",
        "UPDATE durable.permit SET attempt = 9 WHERE scope_id = 'mine'",
        "UPDATE durable.work_result SET entry = NULL WHERE scope_id = 'mine'",
        "UPDATE durable.work_result SET recorded_at = now() WHERE scope_id = 'mine'",
        "DELETE FROM durable.work_result WHERE scope_id = 'mine'",
        "DELETE FROM durable.work_snapshot WHERE scope_id = 'mine'",
        "SELECT setval('durable.work_history_entry', 1)",
        "DELETE FROM durable.work WHERE scope_id = 'mine'",
        "UPDATE durable.work SET deadline_at = NULL WHERE scope_id = 'mine'",
        "UPDATE durable.work_snapshot SET payload = 'y' WHERE scope_id = 'mine'",
        "UPDATE durable.work_identity SET fingerprint = sha256('y') WHERE scope_id = 'mine'",
        "DELETE FROM durable.work_identity WHERE scope_id = 'mine'",
        "DELETE FROM durable.permit WHERE scope_id = 'mine'",
        "UPDATE durable.scope SET state = 'disabled', generation = 2 WHERE scope_id = 'mine'",
        "DELETE FROM durable.scope WHERE scope_id = 'mine'",
        "INSERT INTO durable.scope (scope_id, generation) VALUES ('mine', 7)",
        "INSERT INTO durable.scope_history SELECT * FROM durable.scope_history",
        "UPDATE durable.store SET active_epoch = gen_random_uuid()",
        "INSERT INTO durable.epoch (epoch, actor, reason) VALUES (gen_random_uuid(), 'a', 'r')",
        "SELECT durable.discover(ARRAY ['c'], ARRAY ['v1'], 1)",
        "SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '1 second')",
        "SET ROLE fence_it_owner",
        "SET ROLE fence_it_operator",
        "SET SESSION AUTHORIZATION postgres",
        "ALTER ROLE fence_it_runtime BYPASSRLS",
        "CREATE ROLE fence_it_intruder",
        "SET session_replication_role = replica"
      })
  void runtimeRole_mayNot(String command) {
    assertThat(Attempt.of(database.runtime(), BOUND, command)).isEqualTo(DENIED);
  }

  @Test
  void runtimeRole_mayUseAScopeFirst() {
    assertThat(
            Attempt.of(
                database.runtime(),
                "SELECT set_config('durable.scope_id', 'new', true)",
                "INSERT INTO durable.scope (scope_id) VALUES ('new')"))
        .isEqualTo(Attempt.OK);
  }

  @Test
  void dispatcherRole_readsNoTable() {
    String tables =
        database.ask(
            "SELECT string_agg(relname, chr(10)) FROM pg_class"
                + " WHERE relnamespace = 'durable'::regnamespace AND relkind IN ('r', 'p')");

    for (String table : tables.lines().toList()) {
      assertThat(Attempt.of(database.dispatcher(), BOUND, "SELECT FROM durable." + table))
          .as(table)
          .isEqualTo(DENIED);
    }
    assertThat(
            Attempt.of(
                database.dispatcher(), "SELECT durable.discover(ARRAY ['c'], ARRAY ['v1'], 1)"))
        .isEqualTo(Attempt.OK);
  }

  /** What the history is read from; only retention's functions remove it, whole Works at a time. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE durable.work_event SET code = 'x'",
        "UPDATE durable.work_snapshot SET accepted_at = now()",
        "UPDATE durable.work_result SET recorded_at = now()",
        "UPDATE durable.permit SET granted_at = now()",
        "UPDATE durable.permit SET state = 'applied', settled_at = now(), revision = 9",
        "UPDATE durable.permit SET entry = 9",
        "UPDATE durable.permit SET attempt = 9",
        "UPDATE durable.permit SET lease_generation = 9",
        "TRUNCATE durable.work_event",
        "TRUNCATE durable.work_snapshot",
        "TRUNCATE durable.work_result",
        "TRUNCATE durable.permit"
      })
  void owner_rewritesNothingOfTheHistory(String command) {
    assertThat(Attempt.of(database.owner(), BOUND, command)).isEqualTo("55000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM durable.work_event WHERE scope_id = 'mine'",
        "UPDATE durable.work_event SET code = 'x' WHERE scope_id = 'mine'",
        "DELETE FROM durable.work_snapshot WHERE scope_id = 'mine'",
        "UPDATE durable.work_snapshot SET accepted_at = now() WHERE scope_id = 'mine'",
        "DELETE FROM durable.permit WHERE scope_id = 'mine'",
        "UPDATE durable.permit SET granted_at = now() WHERE scope_id = 'mine'",
        "UPDATE durable.permit SET revision = 9, entry = 9 WHERE scope_id = 'mine'",
        "DELETE FROM durable.work_result WHERE scope_id = 'mine'",
        "UPDATE durable.work_result SET entry = NULL WHERE scope_id = 'mine'",
        "SELECT setval('durable.work_history_entry', 1)",
        "UPDATE durable.operator_command SET outcome = 'x' WHERE scope_id = 'mine'",
        "DELETE FROM durable.operator_command WHERE scope_id = 'mine'",
        "UPDATE durable.store SET active_epoch = gen_random_uuid()",
        "INSERT INTO durable.permit SELECT * FROM durable.permit",
        "SET ROLE fence_it_owner"
      })
  void operatorRole_mayNot(String command) {
    assertThat(Attempt.of(database.operator(), BOUND, command)).isEqualTo(DENIED);
  }
}
