package dev.handofffence.acceptance;

import static dev.handofffence.acceptance.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.fixture.CallerSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The caller's {@code durable.scope_id} after an acceptance: as it was before. */
class ScopeSettingTest {

  private final AcceptanceFixture fixture = new AcceptanceFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void noScopeBefore_noneAfter() throws SQLException {
    try (CallerSession caller = CallerSession.open(fixture.database())) {
      accept(caller, "c1");
      assertThat(caller.scope()).isEmpty();
      assertThat(caller.ask("SELECT count(*) FROM durable.work")).isEqualTo("0");
    }
  }

  @Test
  void anotherScopeBefore_thatOneAfter() throws SQLException {
    try (CallerSession caller = CallerSession.open(fixture.database())) {
      caller.execute("SELECT set_config('durable.scope_id', 'before', true)");
      accept(caller, "c1");
      accept(caller, "c2");
      assertThat(caller.scope()).isEqualTo("before");
    }
  }

  @Test
  void scopesOfABatch_areNotVisibleAfterwards() throws SQLException {
    try (CallerSession caller = CallerSession.open(fixture.database())) {
      fixture.acceptance().acceptAll(caller.connection(), Requests.inScopes(3, "c1"));
      assertThat(caller.scope()).isEmpty();
      assertThat(caller.ask("SELECT current_setting('durable.scope_ids', true)")).isEmpty();
      assertThat(caller.ask("SELECT count(*) FROM durable.work")).isEqualTo("0");
    }
  }

  @Test
  void scopeOfTheSession_survivesTheTransaction() throws SQLException {
    try (CallerSession caller = CallerSession.open(fixture.database())) {
      caller.execute("SELECT set_config('durable.scope_id', 'session', false)");
      caller.commit();
      accept(caller, "c1");
      assertThat(caller.scope()).isEqualTo("session");
      caller.commit();
      assertThat(caller.scope()).isEqualTo("session");
    }
  }

  @Test
  void pooledConnection_isReusedWithoutATrace() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setDataSource(fixture.database().runtime());
    config.setMaximumPoolSize(1);
    config.setAutoCommit(false);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      for (String command : List.of("c1", "c2", "c3")) {
        try (Connection connection = pool.getConnection()) {
          fixture
              .acceptance()
              .accept(connection, request(command, command, "payload"))
              .orElseThrow();
          connection.commit();
        }
        try (Connection next = pool.getConnection();
            var statement = next.createStatement();
            var rows =
                statement.executeQuery(
                    "SELECT coalesce(current_setting('durable.scope_id', true), ''), (SELECT count(*) FROM durable.work)")) {
          rows.next();
          assertThat(rows.getString(1)).isEmpty();
          assertThat(rows.getInt(2)).isZero();
          next.rollback();
        }
      }
    }
    assertThat(fixture.database().ask("SELECT count(*) FROM durable.work")).isEqualTo("3");
  }

  private void accept(CallerSession caller, String command) {
    fixture
        .acceptance()
        .accept(caller.connection(), request(command, "k" + command, "payload"))
        .orElseThrow();
  }
}
