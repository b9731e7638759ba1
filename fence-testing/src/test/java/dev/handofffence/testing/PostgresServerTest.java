package dev.handofffence.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class PostgresServerTest {

  private final PostgresServer server = PostgresServer.shared();

  @Test
  void template_isFilledOnceAndCopied() throws SQLException {
    AtomicInteger fillings = new AtomicInteger();
    DatabaseInitializer initializer =
        superuser -> {
          fillings.incrementAndGet();
          execute(superuser, "CREATE TABLE filled AS SELECT 7 AS n");
        };

    String first = server.createDatabase("filled", initializer);
    String second = server.createDatabase("filled", initializer);
    execute(server.superuser(first), "UPDATE filled SET n = 8");

    assertThat(fillings).hasValue(1);
    assertThat(ask(server.superuser(first), "SELECT n FROM filled")).isEqualTo("8");
    assertThat(ask(server.superuser(second), "SELECT n FROM filled")).isEqualTo("7");
  }

  @Test
  void session_isFarFromUtc() throws SQLException {
    DataSource superuser = server.superuser(server.createDatabase());

    assertThat(ask(superuser, "SHOW TIME ZONE")).isEqualTo("Asia/Kathmandu");
  }

  @Test
  void role_logsInAsItself() throws SQLException {
    String database = server.createDatabase();
    execute(server.superuser(database), "CREATE ROLE " + database + " LOGIN PASSWORD 'secret'");
    try {
      DataSource role = server.dataSource(database, database, "secret");
      assertThat(ask(role, "SELECT current_user")).isEqualTo(database);
    } finally {
      execute(server.superuser(database), "DROP ROLE " + database);
    }
  }

  @Test
  void durable_survivesACrashAndARestart() throws SQLException {
    try (PostgresServer durable = PostgresServer.startDurable()) {
      DataSource superuser = durable.superuser(durable.createDatabase());
      assertThat(ask(superuser, "SHOW fsync")).isEqualTo("on");
      assertThat(ask(superuser, "SHOW synchronous_commit")).isEqualTo("on");
      execute(superuser, "CREATE TABLE kept AS SELECT 7 AS n");
      long before = durable.postmasterPid();

      durable.restart();

      assertThat(durable.postmasterPid()).isNotEqualTo(before);
      assertThat(ask(superuser, "SELECT n FROM kept")).isEqualTo("7");
      assertThat(ask(superuser, "SHOW fsync")).isEqualTo("on");

      durable.restartInOrder();

      assertThat(ask(superuser, "SELECT n FROM kept")).isEqualTo("7");
    }
  }

  private static void execute(DataSource source, String sql) throws SQLException {
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String ask(DataSource source, String sql) throws SQLException {
    try (var connection = source.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
