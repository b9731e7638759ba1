package dev.handofffence.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SeedTest {

  private static final String TABLES =
      """
      CREATE TABLE tenant (name text PRIMARY KEY);
      CREATE TABLE job (
        id bigint NOT NULL,
        tenant text NOT NULL REFERENCES tenant,
        key text NOT NULL,
        done boolean NOT NULL,
        CONSTRAINT job_pk PRIMARY KEY (tenant, id) INCLUDE (done),
        CONSTRAINT job_key UNIQUE (tenant, key) DEFERRABLE
      );
      CREATE INDEX job_due ON job (tenant, id DESC) INCLUDE (key) WITH (fillfactor = 80) WHERE NOT done;
      CREATE UNIQUE INDEX job_lower ON job (lower(key));
      CREATE TABLE note (
        tenant text,
        id bigint,
        CONSTRAINT note_of_job FOREIGN KEY (tenant, id) REFERENCES job ON DELETE CASCADE
      );
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END';
      CREATE TRIGGER job_is_guarded BEFORE INSERT ON job FOR EACH ROW EXECUTE FUNCTION refuse();
      """;

  private static final List<String> STATEMENTS =
      List.of(
          "INSERT INTO tenant SELECT DISTINCT 't' || n % {scopes} FROM generate_series({from}, {to}) n ON CONFLICT DO NOTHING",
          "INSERT INTO job SELECT n, 't' || n % {scopes}, 'key-' || n, true FROM generate_series({from}, {to}) n");

  private static BenchmarkServer server;
  private Database database;

  @BeforeAll
  static void start() throws SQLException {
    server = BenchmarkServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void create() throws SQLException {
    database = server.createEmpty();
    Query.execute(database, TABLES);
  }

  @AfterEach
  void drop() {
    server.drop(database);
  }

  @Test
  void rows_areAllThereOnce() throws SQLException {
    Seed.insert(database, STATEMENTS, 250_001, 3);
    assertThat(ask("SELECT count(*) || ' ' || max(id) FROM job")).isEqualTo("250001 250001");
    assertThat(ask("SELECT string_agg(name, ' ' ORDER BY name) FROM tenant")).isEqualTo("t0 t1 t2");
  }

  @Test
  void schema_isWhatItWas() throws SQLException {
    List<String> before = schema();
    Seed.insert(database, STATEMENTS, 1_000, 3);
    assertThat(schema()).isEqualTo(before);
    assertThat(before).anyMatch(line -> line.contains("job_due") && line.contains("fillfactor"));
  }

  @Test
  void tables_areVacuumedAndAnalyzed() throws SQLException {
    Seed.insert(database, STATEMENTS, 10_000, 3);
    assertThat(ask("SELECT relallvisible = relpages FROM pg_class WHERE relname = 'job'"))
        .isEqualTo("t");
    assertThat(ask("SELECT n_distinct FROM pg_stats WHERE tablename = 'job' AND attname = 'id'"))
        .isEqualTo("-1");
  }

  @Test
  void failure_isReportedAndEndsTheSeed() {
    List<String> failing = List.of("INSERT INTO job SELECT 1 / ({from} - 100001), 't', 'k', true");
    assertThatThrownBy(() -> Seed.insert(database, failing, 10_000_000, 3))
        .isInstanceOf(SQLException.class)
        .hasRootCauseMessage("ERROR: division by zero");
  }

  @Test
  void lostIndex_isTold() throws SQLException {
    List<String> before = schema();
    Query.execute(database, "DROP INDEX job_due");
    List<String> after = schema();
    assertThatThrownBy(() -> SchemaText.check(before, after))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("job_due");
  }

  private List<String> schema() throws SQLException {
    try (var connection = database.unpooled().getConnection();
        Statement statement = connection.createStatement()) {
      return SchemaText.read(statement);
    }
  }

  private String ask(String sql) throws SQLException {
    return Query.text(database, sql);
  }
}
