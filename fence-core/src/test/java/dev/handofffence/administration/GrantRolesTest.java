package dev.handofffence.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.TestRole;
import dev.handofffence.runtime.RoleNames;
import dev.handofffence.runtime.StoreAdministration;
import dev.handofffence.testing.PostgresServer;
import java.sql.SQLException;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The grant script refuses dangerous roles, names them, and has changed nothing then. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrantRolesTest {

  private static final String REFUSED = "0LP01";

  private final DurableDatabase database = DurableDatabase.create();
  private final StoreAdministration administration = StoreAdministration.of(database.owner());

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void soundRoles_areGrantedAgainAndAgain() {
    String before = privileges();

    administration.grantRoles(withRuntime(DurableDatabase.RUNTIME));

    assertThat(privileges()).isEqualTo(before);
  }

  @Test
  void whatWasGrantedByHand_isTakenBack() {
    String before = privileges();
    database.execute(
        "GRANT DELETE ON durable.work_event TO %1$s, PUBLIC; GRANT SELECT ON durable.work_history TO %1$s; GRANT UPDATE ON SEQUENCE durable.work_history_entry TO %1$s, PUBLIC"
            .formatted(DurableDatabase.RUNTIME));

    administration.grantRoles(withRuntime(DurableDatabase.RUNTIME));

    assertThat(privileges()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "EXECUTE ON FUNCTION durable.discover(text[], text[], integer, integer, integer, text[])",
        "SELECT, INSERT ON durable.permit",
        "SELECT, UPDATE (state) ON durable.work",
        "CREATE ON SCHEMA durable",
        "SELECT ON durable.work, durable.permit WITH GRANT OPTION",
      })
  void roleThatIsNoServiceAnyMore_losesWhatItHad(String privileges) {
    String before = privileges();
    String[] granted = privileges.split("(?= WITH)", 2);
    try (TestRole former = TestRole.create(database, "")) {
      database.execute(
          "GRANT USAGE ON SCHEMA durable TO %2$s; GRANT %1$s TO %2$s %3$s"
              .formatted(granted[0], former.name(), granted.length == 1 ? "" : granted[1]));

      administration.grantRoles(withRuntime(DurableDatabase.RUNTIME));

      assertThat(privileges()).isEqualTo(before);
    }
  }

  @Test
  void roleThatOnlyReads_isLeftAlone() {
    try (TestRole monitor = TestRole.create(database, "BYPASSRLS")) {
      database.execute(
          "GRANT USAGE ON SCHEMA durable TO %1$s; GRANT SELECT ON durable.work TO %1$s"
              .formatted(monitor.name()));
      String before = privileges();

      administration.grantRoles(withRuntime(DurableDatabase.RUNTIME));

      assertThat(privileges()).isEqualTo(before).contains(monitor.name());
      database.execute(
          "REVOKE ALL ON durable.work FROM %1$s; REVOKE ALL ON SCHEMA durable FROM %1$s"
              .formatted(monitor.name()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SUPERUSER", "BYPASSRLS", "CREATEROLE", "CREATEDB"})
  void powerfulRole_isRefused(String attribute) {
    try (TestRole role = TestRole.create(database, attribute)) {
      assertRefused(withRuntime(role.name()), REFUSED, role.name());
      assertRefused(
          new RoleNames(
              DurableDatabase.OWNER,
              role.name(),
              DurableDatabase.RUNTIME,
              DurableDatabase.OPERATOR),
          REFUSED,
          role.name());
      assertRefused(
          new RoleNames(
              DurableDatabase.OWNER,
              DurableDatabase.DISPATCHER,
              DurableDatabase.RUNTIME,
              role.name()),
          REFUSED,
          role.name());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        DurableDatabase.OWNER,
        DurableDatabase.DISPATCHER,
        DurableDatabase.OPERATOR,
        "pg_read_all_data",
        "pg_write_all_data"
      })
  void memberOfAPowerfulRole_isRefused(String group) {
    try (TestRole role = TestRole.create(database, "")) {
      database.execute("GRANT " + group + " TO " + role.name());

      assertRefused(withRuntime(role.name()), REFUSED, group);
    }
  }

  @Test
  void memberOverAnotherRole_isRefusedAsWell() {
    try (TestRole between = TestRole.create(database, "");
        TestRole role = TestRole.create(database, "NOINHERIT")) {
      database.execute(
          "GRANT %1$s TO %2$s; GRANT %2$s TO %3$s"
              .formatted(DurableDatabase.OWNER, between.name(), role.name()));

      assertRefused(withRuntime(role.name()), REFUSED, DurableDatabase.OWNER);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE durable.work OWNER TO %s",
        "ALTER FUNCTION durable.bound_scope() OWNER TO %s",
        "CREATE MATERIALIZED VIEW durable.theirs AS SELECT 1 AS x; ALTER MATERIALIZED VIEW durable.theirs OWNER TO %s",
        "CREATE TYPE durable.theirs AS ENUM ('x'); ALTER TYPE durable.theirs OWNER TO %s",
        "ALTER SCHEMA durable OWNER TO %s"
      })
  void ownerOfAnObject_isRefused(String change) {
    try (DurableDatabase changed = DurableDatabase.create();
        TestRole role = TestRole.create(changed, "")) {
      changed.execute(change.formatted(role.name()));

      assertThatThrownBy(
              () ->
                  StoreAdministration.of(changed.superuser()).grantRoles(withRuntime(role.name())))
          .isInstanceOf(DataAccessException.class)
          .hasMessageContaining("55000")
          .hasStackTraceContaining("Not owned by " + DurableDatabase.OWNER);
    }
  }

  @Test
  void absentRole_isNamed() {
    assertRefused(withRuntime("fence_it_nobody"), "42704", "fence_it_nobody");
  }

  @Test
  void sameRoleTwice_isRefusedBeforeAnySql() {
    assertThatThrownBy(() -> withRuntime(DurableDatabase.OPERATOR))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR100")
        .hasMessageContaining("the same role twice");
  }

  @Test
  void sameRoleTwice_isRefusedByTheScriptAsWell() {
    assertThatThrownBy(
            () ->
                run(
                    DurableDatabase.script("grant-roles.sql")
                        .replace(
                            "durable.runtime_role = '" + DurableDatabase.RUNTIME,
                            "durable.runtime_role = '" + DurableDatabase.OPERATOR)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("different roles");
  }

  @Test
  void roleWithoutAName_isRefusedByTheScript() {
    assertThatThrownBy(
            () ->
                run(
                    DurableDatabase.script("grant-roles.sql")
                        .replace(DurableDatabase.OPERATOR, "")))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("Set durable.owner_role");
  }

  @Test
  void missingSchema_isNamed() {
    PostgresServer server = PostgresServer.shared();
    String empty = server.createDatabase();
    try {
      assertThatThrownBy(
              () ->
                  StoreAdministration.of(server.superuser(empty))
                      .grantRoles(withRuntime(DurableDatabase.RUNTIME)))
          .isInstanceOf(DataAccessException.class)
          .hasMessageContaining("42P01")
          .hasMessageContaining("Run the Flyway migrations first");
    } finally {
      server.dropDatabase(empty);
    }
  }

  @Test
  void serviceRole_cannotGrantItselfAnything() {
    assertThatThrownBy(
            () ->
                StoreAdministration.of(database.runtime())
                    .grantRoles(withRuntime(DurableDatabase.RUNTIME)))
        .isInstanceOf(DataAccessException.class)
        .hasMessageContaining("42501")
        .hasMessageContaining("options=-c%20role=<owner>")
        .hasMessageNotContaining("grant-roles.sql");
  }

  /** Only the script's own texts are known to be fit for a message. */
  @Test
  void refusalOfTheApplications_staysInTheCause() {
    database.execute(
        """
        CREATE FUNCTION public.audit() RETURNS event_trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'secret of the application'; END $$;
        CREATE EVENT TRIGGER audit ON ddl_command_end WHEN TAG IN ('GRANT') EXECUTE FUNCTION public.audit();
        """);
    try {
      assertThatThrownBy(() -> administration.grantRoles(withRuntime(DurableDatabase.RUNTIME)))
          .isInstanceOf(DataAccessException.class)
          .hasMessageContaining("nothing was changed")
          .hasMessageNotContaining("secret")
          .hasStackTraceContaining("secret of the application");
    } finally {
      database.execute("DROP EVENT TRIGGER audit; DROP FUNCTION public.audit()");
    }
  }

  private void assertRefused(RoleNames roles, String state, String named) {
    String before = privileges();

    assertThatThrownBy(() -> administration.grantRoles(roles))
        .isInstanceOf(DataAccessException.class)
        .hasMessageContaining(state)
        .hasMessageContaining("nothing was changed")
        .hasMessageContaining(named);

    assertThat(privileges()).as("nothing was changed").isEqualTo(before);
  }

  private void run(String sql) throws SQLException {
    try (var connection = database.owner().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static RoleNames withRuntime(String runtime) {
    return new RoleNames(
            DurableDatabase.OWNER, DurableDatabase.DISPATCHER, runtime, DurableDatabase.OPERATOR)
        .withRetention(DurableDatabase.RETENTION);
  }

  /** Every privilege on everything in the schema, column privileges included. */
  private String privileges() {
    return database.ask(
        """
        SELECT string_agg(t, chr(10) ORDER BY t) FROM (
            SELECT o.name || ' ' || g.grantee::regrole || ' ' || g.privilege_type FROM (
                SELECT nspname::text, nspacl FROM pg_namespace WHERE nspname = 'durable'
                UNION ALL
                SELECT relname, relacl FROM pg_class WHERE relnamespace = 'durable'::regnamespace
                UNION ALL
                SELECT c.relname || '.' || a.attname, a.attacl
                FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
                WHERE c.relnamespace = 'durable'::regnamespace
                UNION ALL
                SELECT proname, proacl FROM pg_proc WHERE pronamespace = 'durable'::regnamespace
                ) AS o (name, acl), aclexplode(o.acl) AS g) AS rows (t)
        """);
  }
}
