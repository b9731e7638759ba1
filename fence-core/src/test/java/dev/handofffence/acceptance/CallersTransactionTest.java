package dev.handofffence.acceptance;

import static dev.handofffence.acceptance.Requests.SCOPE;
import static dev.handofffence.acceptance.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.ApplicationSchema;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.internal.work.Acceptance;
import dev.handofffence.internal.work.AcceptanceLimits;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.WorkAcceptance;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acceptance as a guest in a transaction that the application began and will end. */
class CallersTransactionTest {

  private final AcceptanceFixture fixture = new AcceptanceFixture();
  private final DurableDatabase database = fixture.database();
  private final ApplicationSchema application = ApplicationSchema.create(database);
  private final WorkAcceptance acceptance = fixture.acceptance();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void commit_makesTheWorkExist() throws SQLException {
    try (CallerSession caller = CallerSession.open(database)) {
      AcceptedWork work = accept(caller, "c1", "one").orElseThrow();
      assertThat(works()).as("before the commit").isEqualTo("0");

      caller.commit();
      assertThat(fixture.rowsOf(work)).startsWith("identity 1, work ready 1");
    }
  }

  @Test
  void rollback_leavesNothingNotEvenTheScope() throws SQLException {
    try (CallerSession caller = CallerSession.open(database)) {
      accept(caller, "c1", "one").orElseThrow();
      caller.connection().rollback();
    }
    assertThat(works()).isEqualTo("0");
    assertThat(database.ask("SELECT count(*) FROM durable.scope")).isEqualTo("0");
  }

  @Test
  void jooqTransaction_isUsedAndLeftOpen() throws SQLException {
    try (Connection connection = database.runtime().getConnection()) {
      DSL.using(connection, SQLDialect.POSTGRES)
          .transaction(
              transaction -> {
                acceptance.accept(transaction, request("c1", "k1", "one")).orElseThrow();
                assertThat(works()).as("before the commit").isEqualTo("0");
              });
    }
    assertThat(works()).isEqualTo("1");
  }

  @Test
  void nestedJooqTransaction_canBeRolledBackAlone() throws SQLException {
    try (Connection connection = database.runtime().getConnection()) {
      DSL.using(connection, SQLDialect.POSTGRES)
          .transaction(
              outer -> {
                acceptance.accept(outer, request("c1", "k1", "one")).orElseThrow();
                assertThatThrownBy(
                        () ->
                            outer
                                .dsl()
                                .transaction(
                                    inner -> {
                                      acceptance
                                          .accept(inner, request("c2", "k2", "two"))
                                          .orElseThrow();
                                      throw new IllegalArgumentException("undo");
                                    }))
                    .isInstanceOf(IllegalArgumentException.class);
              });
    }
    assertThat(database.ask("SELECT string_agg(command_id, ' ') FROM durable.work_identity"))
        .isEqualTo("c1");
  }

  @Test
  void callersOwnSavepoints_areNotDisturbed() throws SQLException {
    try (CallerSession caller = CallerSession.open(database)) {
      caller.execute("SAVEPOINT durable_accept");
      ApplicationSchema.mark(caller.connection(), "after the savepoint");
      accept(caller, "c1", "one").orElseThrow();

      caller.execute("ROLLBACK TO SAVEPOINT durable_accept");
      caller.commit();
    }
    assertThat(works()).isEqualTo("0");
    assertThat(application.isMarked("after the savepoint")).isFalse();
  }

  @Test
  void refusals_writeNothingAndLeaveTheTransactionUsable() throws SQLException {
    fixture.acceptance().accept(request("c1", "k1", "one")).orElseThrow();
    String before = fixture.contents();
    try (CallerSession caller = CallerSession.open(database)) {
      ApplicationSchema.mark(caller.connection(), "kept");

      assertThat(accept(caller, "c1", "other")).isEqualTo(refusal(Problem.COMMAND_CONFLICT));
      assertThat(
              acceptance.accept(
                  caller.connection(),
                  request("c2", "k2", "late").withDeadline(Instant.parse("2001-01-01T00:00:00Z"))))
          .isEqualTo(refusal(Problem.DEADLINE_PASSED));
      assertThat(acceptAs(otherStore(), caller)).isEqualTo(refusal(Problem.STORE_MISMATCH));
      assertThat(acceptAs(otherEpoch(), caller)).isEqualTo(refusal(Problem.EPOCH_MISMATCH));
      assertThat(caller.scope()).isEmpty();
      caller.commit();
    }
    assertThat(fixture.contents()).isEqualTo(before);
    assertThat(application.isMarked("kept")).isTrue();
  }

  @Test
  void disabledScope_isRefusedAlsoForARepeatedCommand() throws SQLException {
    acceptance.accept(request("c1", "k1", "one")).orElseThrow();
    fixture.disableScope(SCOPE);
    try (CallerSession caller = CallerSession.open(database)) {
      assertThat(accept(caller, "c2", "two")).isEqualTo(refusal(Problem.SCOPE_DISABLED));
      assertThat(accept(caller, "c1", "one")).isEqualTo(refusal(Problem.SCOPE_DISABLED));
      caller.commit();
    }
    assertThat(works()).isEqualTo("1");
  }

  @Test
  void storeFacts_areRefusedInTheOrderOfTheProtocol() throws SQLException {
    acceptance.accept(request("c1", "k1", "one")).orElseThrow();
    fixture.disableScope(SCOPE);
    try (CallerSession caller = CallerSession.open(database)) {
      assertThat(acceptAs(otherEpoch(), caller)).isEqualTo(refusal(Problem.EPOCH_MISMATCH));
      assertThat(acceptAs(StoreIdentity.of(UUID.randomUUID(), UUID.randomUUID()), caller))
          .isEqualTo(refusal(Problem.STORE_MISMATCH));
    }
    database.execute("UPDATE durable.store SET schema_version = 9, oldest_writer = 9");
    try (CallerSession caller = CallerSession.open(database)) {
      assertThat(acceptAs(otherStore(), caller)).isEqualTo(refusal(Problem.SCHEMA_TOO_NEW));
    }
  }

  /** The guard in SQL and {@code StoreCheck} in Java must refuse the same. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "active_epoch = NULL",
        "active_epoch = gen_random_uuid()",
        "store_id = gen_random_uuid()",
        "schema_version = 0, oldest_writer = 0, oldest_reader = 0",
        "schema_version = 2, oldest_writer = 2",
        "oldest_reader = 2",
        "oldest_writer = 1, schema_version = 0"
      })
  void storeThatIsNotOurs_getsNothingWritten(String change) {
    acceptance.accept(request("c1", "k1", "one")).orElseThrow();
    String before = fixture.contents();
    database.execute(
        "ALTER TABLE durable.store DROP CONSTRAINT store_versions; UPDATE durable.store SET "
            + change);

    assertThat(acceptance.accept(request("c2", "k2", "two")).isSuccess()).isFalse();
    assertThat(acceptance.accept(request(ScopeId.of("new"), "c2", "k2", "two")).isSuccess())
        .isFalse();
    assertThat(fixture.contents()).isEqualTo(before);
  }

  @Test
  void missingSchema_isARefusalAndTheTransactionGoesOn() throws SQLException {
    database.execute("DROP SCHEMA durable CASCADE");
    try (CallerSession caller = CallerSession.open(database)) {
      ApplicationSchema.mark(caller.connection(), "kept");

      assertThat(accept(caller, "c1", "one")).isEqualTo(refusal(Problem.SCHEMA_MISSING));
      caller.commit();
    }
    assertThat(application.isMarked("kept")).isTrue();
    assertThat(acceptance.accept(request("c1", "k1", "one")))
        .isEqualTo(refusal(Problem.SCHEMA_MISSING));
  }

  @Test
  void databaseError_isTakenBackAndComesOutWithItsState() throws SQLException {
    acceptance.accept(request("c1", "k1", "one")).orElseThrow();
    try (CallerSession holder = CallerSession.open(database);
        CallerSession caller = CallerSession.open(database)) {
      holder.execute("SELECT pg_advisory_xact_lock(durable.scope_lock_key('tenant-1'))");
      caller.execute("SET LOCAL lock_timeout = '50ms'");
      caller.execute("SET LOCAL durable.scope_id = 'before'");
      ApplicationSchema.mark(caller.connection(), "kept");

      assertThatThrownBy(() -> accept(caller, "c2", "two"))
          .isInstanceOf(DataAccessException.class)
          .hasMessage(
              "Accepting Work failed with SQLSTATE 55P03. A lock was not available within"
                  + " lock_timeout: try again.")
          .hasCauseInstanceOf(SQLException.class);

      assertThat(caller.scope()).isEqualTo("before");
      assertThat(
              caller.ask(
                  "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"))
          .as("locks of the call")
          .isEqualTo("0");
      caller.commit();
    }
    assertThat(application.isMarked("kept")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"preferQueryMode=simple", "prepareThreshold=-1"})
  void unsupportedDriverMode_isRefused_inTheCallersTransactionAndItsOwn(String option)
      throws SQLException {
    WorkAcceptance own =
        new Acceptance(database.store(), database.runtimeWith(option), AcceptanceLimits.standard());
    try (CallerSession caller = CallerSession.open(database.runtimeWith(option))) {
      assertThatThrownBy(() -> accept(caller, "c1", "one"))
          .isInstanceOf(DurableException.class)
          .hasMessageContaining("DUR101")
          .hasMessageContaining(option);
      assertThatThrownBy(() -> own.accept(request("c1", "k1", "one")))
          .isInstanceOf(DurableException.class)
          .hasMessageContaining("DUR101")
          .hasMessageContaining(option);
    }
    assertThat(works()).isEqualTo("0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
  void otherIsolation_isRefusedWithNothingLockedOrWritten(String level) throws SQLException {
    acceptance.accept(request("c1", "k1", "one")).orElseThrow();
    String before = fixture.contents();
    try (CallerSession caller = CallerSession.open(database)) {
      caller.execute("SET TRANSACTION ISOLATION LEVEL " + level);

      assertThatThrownBy(() -> accept(caller, "c2", "two"))
          .isInstanceOf(DurableException.class)
          .hasMessageContaining("DUR101")
          .hasMessageContaining("isolation level " + level.toLowerCase(Locale.ROOT));
      assertThatThrownBy(
              () ->
                  acceptance.accept(
                      caller.connection(), request(ScopeId.of("new"), "c2", "k2", "two")))
          .hasMessageContaining("DUR101");

      assertThat(caller.scope()).isEmpty();
      assertThat(
              caller.ask(
                  "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"))
          .isEqualTo("0");
      caller.commit();
    }
    assertThat(fixture.contents()).isEqualTo(before);
  }

  @Test
  void readOnlyTransaction_isRefusedAndStaysUsable() throws SQLException {
    acceptance.accept(request("c1", "k1", "one")).orElseThrow();
    try (CallerSession caller = CallerSession.open(database)) {
      caller.execute("SET TRANSACTION READ ONLY");
      assertThatThrownBy(() -> accept(caller, "c2", "two"))
          .isInstanceOf(DurableException.class)
          .hasMessageContaining("DUR101")
          .hasMessageContaining("read-only");
      assertThat(caller.ask("SELECT 1")).isEqualTo("1");
    }
    try (CallerSession caller = CallerSession.open(database)) {
      caller.connection().setReadOnly(true);
      assertThatThrownBy(() -> accept(caller, "c2", "two")).hasMessageContaining("read-only");
    }
  }

  @Test
  void connectionWithoutATransaction_isRefused() throws SQLException {
    Connection connection = database.runtime().getConnection();
    assertThatThrownBy(() -> acceptance.accept(connection, request("c1", "k1", "one")))
        .hasMessageContaining("DUR101")
        .hasMessageContaining("autocommit");
    assertThatThrownBy(
            () ->
                acceptance.accept(
                    DSL.using(connection, SQLDialect.POSTGRES).configuration(),
                    request("c1", "k1", "one")))
        .hasMessageContaining("DUR101");
    connection.close();
    assertThatThrownBy(() -> acceptance.accept(connection, request("c1", "k1", "one")))
        .hasMessageContaining("DUR101")
        .hasMessageContaining("closed");
    assertThatThrownBy(
            () ->
                acceptance.accept(
                    DSL.using(SQLDialect.POSTGRES).configuration(), request("c1", "k1", "one")))
        .hasMessageContaining("DUR101")
        .hasMessageContaining("no connection");
    assertThat(works()).isEqualTo("0");
  }

  private OperationResult<AcceptedWork> accept(
      CallerSession caller, String command, String payload) {
    return acceptance.accept(caller.connection(), request(command, "k" + command, payload));
  }

  private OperationResult<AcceptedWork> acceptAs(StoreIdentity identity, CallerSession caller) {
    return new Acceptance(identity, database.runtime(), AcceptanceLimits.standard())
        .accept(caller.connection(), request("c9", "k9", "nine"));
  }

  private StoreIdentity otherStore() {
    return StoreIdentity.of(UUID.randomUUID(), database.store().epoch());
  }

  private StoreIdentity otherEpoch() {
    return StoreIdentity.of(database.store().storeId(), UUID.randomUUID());
  }

  private String works() {
    return database.ask("SELECT count(*) FROM durable.work");
  }

  private static OperationResult<AcceptedWork> refusal(Problem problem) {
    return OperationResult.failure(problem);
  }
}
