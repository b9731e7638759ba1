package dev.handofffence.testing;

import static dev.handofffence.testing.Failures.sqlState;
import static dev.handofffence.testing.WirePoint.after;
import static dev.handofffence.testing.WirePoint.before;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireFaultTest {

  private static final String CONNECTION_EXCEPTION = "08";

  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.createDatabase();
  private final WireProxy proxy = server.proxy();
  private final ExecutorService client = Executors.newSingleThreadExecutor();
  private Connection direct;
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    direct = server.superuser(database).getConnection();
    connection = server.superuser(database, proxy).getConnection();
    execute(direct, "CREATE TABLE kept (n int)");
    connection.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    proxy.close();
    client.shutdownNow();
    connection.close();
    direct.close();
    server.dropDatabase(database);
  }

  /** From the second time on, the driver names its COMMIT instead of sending the text. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void cutBeforeCommit_leavesNothing(int earlierCommits) throws SQLException {
    commit(earlierCommits);
    WireFault cut = proxy.cut(before("COMMIT"));
    execute(connection, "INSERT INTO kept VALUES (1)");

    String state = sqlState(connection::commit);

    assertThat(state).startsWith(CONNECTION_EXCEPTION);
    assertThat(cut.isReached()).isTrue();
    assertThat(rows()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void cutAfterCommit_leavesTheRowAndTheClientInDoubt(int earlierCommits) throws SQLException {
    commit(earlierCommits);
    WireFault cut = proxy.cut(after("COMMIT"));
    execute(connection, "INSERT INTO kept VALUES (1)");

    String state = sqlState(connection::commit);

    assertThat(state).startsWith(CONNECTION_EXCEPTION);
    assertThat(cut.isReached()).isTrue();
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void cutAfterStatement_findsItsImplicitTransactionCommitted() throws SQLException {
    connection.setAutoCommit(true);
    proxy.cut(after(sql -> sql.contains("INSERT")));

    String state =
        sqlState(() -> execute(connection, "SELECT 1; INSERT INTO kept VALUES (1); SELECT 2"));

    assertThat(state).startsWith(CONNECTION_EXCEPTION);
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void heldBeforeCommit_commitsWhenReleased() throws Exception {
    execute(connection, "INSERT INTO kept VALUES (1)");
    try (WireFault held = proxy.hold(before("COMMIT"))) {
      Future<?> commit = client.submit(this::commitOnce);
      held.awaitReached();
      assertThat(rows()).isZero();

      held.release();

      commit.get();
      assertThat(rows()).isEqualTo(1);
    }
  }

  @Test
  void heldAfterCommit_hasCommittedAndTheClientWaits() throws Exception {
    execute(connection, "INSERT INTO kept VALUES (1)");
    try (WireFault held = proxy.hold(after("COMMIT"))) {
      Future<?> commit = client.submit(this::commitOnce);
      held.awaitReached();
      assertThat(rows()).isEqualTo(1);
      assertThat(commit).isNotDone();

      held.release();

      commit.get();
      execute(connection, "INSERT INTO kept VALUES (2)");
      connection.commit();
      assertThat(rows()).isEqualTo(2);
    }
  }

  @Test
  void heldAfter_canStillBeCut() throws Exception {
    try (WireFault held = proxy.hold(after("SELECT 'asked'"))) {
      Future<String> state =
          client.submit(() -> sqlState(() -> execute(connection, "SELECT 'asked'")));
      held.awaitReached();

      held.cut();

      assertThat(state.get()).startsWith(CONNECTION_EXCEPTION);
    }
  }

  @Test
  void heldWithinRequest_hasItsEarlierStatementsExecuted() throws Exception {
    try (WireFault held = proxy.hold(before("SELECT 'second'"))) {
      Future<?> request =
          client.submit(
              () -> {
                execute(connection, "LOCK TABLE kept; SELECT 'second'");
                return null;
              });
      held.awaitReached();
      awaitTableLocked();
      assertThat(request).isNotDone();

      held.release();

      request.get();
    }
  }

  @Test
  void fault_happensOnceAndInOrder() throws SQLException {
    proxy.hold(before("COMMIT")).release();
    WireFault cut = proxy.cut(before("COMMIT"));

    commit(1);
    assertThat(cut.isReached()).isFalse();

    String state = sqlState(() -> commit(1));
    assertThat(state).startsWith(CONNECTION_EXCEPTION);

    try (Connection next = server.superuser(database, proxy).getConnection()) {
      next.setAutoCommit(false);
      execute(next, "INSERT INTO kept VALUES (1)");
      next.commit();
    }
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void serverThatEndsInsteadOfAnswering_isHeard() throws SQLException {
    WireFault cut = proxy.cut(after(sql -> sql.contains("pg_terminate_backend")));

    String state =
        sqlState(() -> execute(connection, "SELECT pg_terminate_backend(pg_backend_pid())"));

    assertThat(state).isEqualTo("57P01");
    assertThat(cut.isReached()).isFalse();
  }

  @Test
  void proxyClosed_cutsWhoeverIsHeld() throws Exception {
    WireFault held = proxy.hold(before("COMMIT"));
    execute(connection, "INSERT INTO kept VALUES (1)");
    Future<String> state = client.submit(() -> sqlState(connection::commit));
    held.awaitReached();

    proxy.close();

    assertThat(state.get()).startsWith(CONNECTION_EXCEPTION);
    assertThat(rows()).isZero();
  }

  private void commit(int times) throws SQLException {
    for (int i = 0; i < times; i++) {
      execute(connection, "SELECT 1");
      connection.commit();
    }
  }

  private Void commitOnce() throws SQLException {
    connection.commit();
    return null;
  }

  private int rows() throws SQLException {
    return number("SELECT count(*) FROM kept");
  }

  /** The server works on its own; what it does is seen from outside only. */
  private void awaitTableLocked() throws SQLException {
    String locks = "SELECT count(*) FROM pg_locks WHERE relation = 'kept'::regclass AND granted";
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (number(locks) == 0 && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(number(locks)).isEqualTo(1);
  }

  private int number(String sql) throws SQLException {
    try (var statement = direct.createStatement();
        var row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
