package dev.handofffence.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.TestRole;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each scope-owned table, each command, from another scope, from no scope and with a forged scope.
 *
 * <p>The tables come from the catalog. Every attempt is made by the runtime role, by the operator
 * role, and by a role that was granted everything on every table, so that it is row-level security
 * which is seen to refuse and not only a missing grant.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RowLevelSecurityTest {

  private static final String SCOPE = "durable.scope_id";
  private static final String SCOPES = "durable.scope_ids";

  private static final String REFUSED = "refused";
  private static final String NOTHING = "0 rows";

  /** No such right, and the append-only trigger. */
  private static final List<String> REFUSALS = List.of("42501", "55000");

  private final DurableDatabase database = DurableDatabase.create();
  private final TestRole everything = TestRole.create(database, "");
  private List<Connection> roles = List.of();
  private Connection owner;

  @BeforeAll
  void fill() throws SQLException {
    database.execute(
        "GRANT USAGE ON SCHEMA durable TO %1$s; GRANT ALL ON ALL TABLES IN SCHEMA durable TO %1$s; GRANT ALL ON ALL FUNCTIONS IN SCHEMA durable TO %1$s"
            .formatted(everything.name()));
    ScopedRows.insert(database, "mine");
    ScopedRows.insert(database, "other");
    owner = open(database.owner());
    roles =
        List.of(
            open(database.runtime()), open(database.operator()), open(everything.connections()));
  }

  @AfterAll
  void close() throws SQLException {
    owner.close();
    for (Connection role : roles) {
      role.close();
    }
    everything.close();
    database.close();
  }

  static Stream<String> tables() {
    try (DurableDatabase fresh = DurableDatabase.create()) {
      return ScopedRows.tables(fresh).stream();
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void ownScope_isVisible(String table) throws SQLException {
    // Without this the other tests could not fail; a new table needs a row in ScopedRows.
    assertThat(run(roles.get(2), "mine", "SELECT * FROM durable." + table))
        .isNotEqualTo(NOTHING)
        .isNotEqualTo(REFUSED);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void otherScope_cannotBeReadOrWritten(String table) throws SQLException {
    assertUntouchable(table, "mine");
  }

  @ParameterizedTest
  @MethodSource("tables")
  void batch_readsAndWritesNoScopeThatItHasNotNamed(String table) throws SQLException {
    assertUntouchable(table, SCOPES, "mine,others,an.other,other:mine");
  }

  @ParameterizedTest
  @MethodSource("tables")
  void batchOfNoScope_seesAndWritesNothing(String table) throws SQLException {
    assertUntouchable(table, SCOPES, "");
  }

  @Test
  void batch_seesTheScopesThatItNames() throws SQLException {
    assertThat(run(roles.get(0), SCOPES, "mine,other", "SELECT * FROM durable.work"))
        .isEqualTo("2 rows");
    assertThat(run(roles.get(0), SCOPES, "other", "SELECT * FROM durable.work"))
        .isEqualTo("1 rows");
  }

  @ParameterizedTest
  @MethodSource("tables")
  void noScope_seesAndWritesNothing(String table) throws SQLException {
    assertUntouchable(table, "");
  }

  @ParameterizedTest
  @MethodSource("tables")
  void forgedScope_cannotBeWrittenOverARowOfOnesOwn(String table) throws SQLException {
    for (Connection role : roles) {
      assertThat(
              run(
                  role,
                  "mine",
                  "UPDATE durable.%s SET scope_id = 'other' WHERE scope_id = 'mine'"
                      .formatted(table)))
          .as(table)
          .isEqualTo(REFUSED);
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void rowSecurityOff_isAnErrorInsteadOfAWayAround(String table) throws SQLException {
    try (Connection connection = everything.connections().getConnection();
        var statement = connection.createStatement()) {
      statement.execute("SET row_security = off");
      assertThat(outcome(connection, "SELECT * FROM durable." + table)).isEqualTo(REFUSED);
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void owner_isBoundAsWell(String table) throws SQLException {
    String seen = run(owner, "", "SELECT * FROM durable." + table);

    // Discovery of both kinds and the list of scopes work through a policy of the owner's on these
    // tables
    // alone.
    assertThat(seen.equals(NOTHING))
        .isEqualTo(!List.of("dispatch", "inquiry", "scope").contains(table));
    assertThat(run(owner, "", "DELETE FROM durable." + table + " WHERE scope_id = 'mine'"))
        .isIn(NOTHING, REFUSED);
  }

  @Test
  void tables_ofTheSchemaAreScopedOrKnownNotToBe() {
    assertThat(
            database.ask(
                """
                SELECT string_agg(c.relname, ' ' ORDER BY c.relname) FROM pg_class c
                WHERE c.relnamespace = 'durable'::regnamespace AND c.relkind = 'r'
                  AND NOT EXISTS (SELECT FROM pg_attribute a
                                  WHERE a.attrelid = c.oid AND a.attname = 'scope_id')
                """))
        .isEqualTo("durable_schema_history epoch store worker");
  }

  @Test
  void scopeId_leadsEveryKeyOfAScopedTable() {
    assertThat(
            database.ask(
                """
                SELECT coalesce(string_agg(k.conname, ' '), 'none')
                FROM pg_constraint k
                  JOIN pg_attribute first ON first.attrelid = k.conrelid AND first.attnum = k.conkey[1]
                WHERE k.connamespace = 'durable'::regnamespace AND k.contype IN ('p', 'u', 'f')
                  AND EXISTS (SELECT FROM pg_attribute a
                              WHERE a.attrelid = k.conrelid AND a.attname = 'scope_id')
                  AND first.attname <> 'scope_id'
                """))
        .isEqualTo("none");
  }

  private void assertUntouchable(String table, String bound) throws SQLException {
    assertUntouchable(table, SCOPE, bound);
  }

  private void assertUntouchable(String table, String setting, String bound) throws SQLException {
    String before = ScopedRows.contents(database, table);
    for (Connection role : roles) {
      for (String command : commandsOn(table)) {
        assertThat(run(role, setting, bound, command))
            .as("%s with scope '%s'", command, bound)
            .isIn(NOTHING, REFUSED);
      }
      assertThat(run(role, setting, bound, insertOf(table))).as("INSERT").isEqualTo(REFUSED);
    }
    assertThat(ScopedRows.contents(database, table)).isEqualTo(before);
  }

  private static Connection open(DataSource source) throws SQLException {
    Connection connection = source.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private static List<String> commandsOn(String table) {
    return List.of(
        "SELECT * FROM durable.%s WHERE scope_id = 'other'".formatted(table),
        "SELECT * FROM durable.%s WHERE scope_id = 'other' FOR UPDATE".formatted(table),
        "UPDATE durable.%s SET scope_id = scope_id WHERE scope_id = 'other'".formatted(table),
        "UPDATE durable.%s SET scope_id = 'mine' WHERE scope_id = 'other'".formatted(table),
        "DELETE FROM durable.%s WHERE scope_id = 'other'".formatted(table));
  }

  private String insertOf(String table) {
    return "INSERT INTO durable.%1$s OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_record(NULL::durable.%1$s, '%2$s')"
        .formatted(table, ScopedRows.oneAsJson(database, table, "other"));
  }

  private static String run(Connection role, String scope, String command) throws SQLException {
    return run(role, SCOPE, scope, command);
  }

  private static String run(Connection role, String setting, String bound, String command)
      throws SQLException {
    try {
      bind(role, setting, bound);
      return outcome(role, command);
    } finally {
      role.rollback();
    }
  }

  private static void bind(Connection connection, String setting, String bound)
      throws SQLException {
    try (var bind = connection.prepareStatement("SELECT set_config(?, ?, true)")) {
      bind.setString(1, setting);
      bind.setString(2, bound);
      bind.execute();
    }
  }

  /** Counts what the command touched; anything but a refusal that is expected is a failure. */
  private static String outcome(Connection connection, String command) throws SQLException {
    try (var statement = connection.createStatement()) {
      if (!statement.execute(command)) {
        return statement.getUpdateCount() + " rows";
      }
      int rows = 0;
      while (statement.getResultSet().next()) {
        rows++;
      }
      return rows + " rows";
    } catch (SQLException e) {
      if (REFUSALS.contains(e.getSQLState())) {
        return REFUSED;
      }
      throw e;
    }
  }
}
