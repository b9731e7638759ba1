package dev.handofffence.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.jdbc.PreferQueryMode;

class WireCountTest {

  private static final String THREE = "SELECT 1; SELECT 2; SELECT 3";

  /** From this execution on, pgjdbc prepares a statement on the server. */
  private static final int PREPARE_THRESHOLD = 5;

  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.createDatabase();
  private final WireProxy proxy = server.proxy();
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = server.superuser(database, proxy).getConnection();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    proxy.close();
    server.dropDatabase(database);
  }

  @Test
  void statementsInOne_areOneRoundTrip() throws SQLException {
    try (var three = connection.prepareStatement(THREE)) {
      assertThat(proxy.count(three::execute)).isEqualTo(new WireCount(1, 3, 3));
    }
  }

  @Test
  void separateStatements_areOneRoundTripEach() throws SQLException {
    WireCount count =
        proxy.count(
            () -> {
              for (int i = 0; i < 7; i++) {
                execute("SELECT " + i);
              }
            });

    assertThat(count).isEqualTo(new WireCount(7, 7, 7));
  }

  @Test
  void statements_areNotParsedAgainAfterWarmUp() throws SQLException {
    try (var three = connection.prepareStatement(THREE)) {
      warmUp(three);

      assertThat(proxy.count(three::execute)).isEqualTo(new WireCount(1, 0, 3));
    }
  }

  @Test
  void begin_isPartOfTheFirstRoundTripAndCommitItsOwn() throws SQLException {
    connection.setAutoCommit(false);

    assertThat(proxy.count(() -> execute("SELECT 1"))).isEqualTo(new WireCount(1, 1, 2));
    assertThat(proxy.count(connection::commit)).isEqualTo(new WireCount(1, 1, 1));
    execute("SELECT 1");
    assertThat(proxy.count(connection::commit)).isEqualTo(new WireCount(1, 0, 1));
  }

  @Test
  void failedStatement_isARoundTrip() throws SQLException {
    WireCount count =
        proxy.count(
            () -> assertThatThrownBy(() -> execute("SELECT 1 / 0")).hasMessageContaining("zero"));

    assertThat(count.roundTrips()).isEqualTo(1);
  }

  @Test
  void simpleQuery_isARoundTrip() throws SQLException {
    var source = (ZonedDataSource) server.superuser(database, proxy);
    source.setPreferQueryMode(PreferQueryMode.SIMPLE);
    try (var simple = source.getConnection();
        var statement = simple.createStatement()) {
      assertThat(proxy.count(() -> statement.execute("SELECT 1")))
          .isEqualTo(new WireCount(1, 0, 1));
    }
  }

  @Test
  void connections_areCountedApart() throws SQLException {
    WireCount before = proxy.counts(connection);
    try (Connection other = server.superuser(database, proxy).getConnection();
        var statement = other.createStatement()) {
      WireCount othersBefore = proxy.counts(other);
      statement.execute("SELECT 1");

      assertThat(proxy.counts(other).minus(othersBefore).roundTrips()).isEqualTo(1);
      assertThat(proxy.counts(connection)).isEqualTo(before);
      assertThat(proxy.counts(connection).plus(proxy.counts(other))).isEqualTo(proxy.counts());
    }
  }

  @Test
  void directConnection_isNotCounted() throws SQLException {
    try (Connection direct = server.superuser(database).getConnection()) {
      assertThatThrownBy(() -> proxy.counts(direct)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static void warmUp(PreparedStatement statement) throws SQLException {
    for (int i = 0; i < PREPARE_THRESHOLD; i++) {
      statement.execute();
    }
  }

  private void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
