package dev.handofffence.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.select;

import dev.handofffence.fixture.DurableDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoundTripTest {

  private static final Field<String> TRANSACTION =
      field("pg_current_xact_id()::text", SQLDataType.VARCHAR);
  private static final Statement WHICH_TRANSACTION = Statement.ofRows(select(TRANSACTION));

  private final DurableDatabase database = DurableDatabase.create();

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void longestTrip_isOneTransactionOnAnAutocommitConnection() throws SQLException {
    try (Connection connection = database.runtime().getConnection()) {
      // More than once: the driver knows the statements better from then on.
      for (int run = 0; run < 10; run++) {
        List<String> transactions =
            trip(RoundTrip.MAX_STATEMENTS).send(connection, null).stream()
                .map(rows -> rows.get(0).get(TRANSACTION))
                .toList();

        assertThat(transactions).hasSize(RoundTrip.MAX_STATEMENTS);
        assertThat(transactions).containsOnly(transactions.get(0));
      }
    }
  }

  @Test
  void tripThatTheDriverWouldCutInTwo_isNotSent() throws SQLException {
    try (Connection connection = database.runtime().getConnection()) {
      assertThatThrownBy(() -> trip(RoundTrip.MAX_STATEMENTS + 1).send(connection, null))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("251 statements");
    }
  }

  @Test
  void tripOfFewScripts_isPreparedOnTheServerAndAWideOneIsNot() throws SQLException {
    try (Connection connection = database.runtime().getConnection()) {
      assertThat(preparedAfterTenTripsOf(connection, 10)).isEqualTo(0);
      assertThat(preparedAfterTenTripsOf(connection, 9)).isEqualTo(9);
    }
  }

  @Test
  void connectionThatPreparesNothing_isObeyed() throws SQLException {
    try (Connection usual = database.runtime().getConnection();
        Connection behindAPooler = database.runtimeWith("prepareThreshold=0").getConnection()) {
      trip(1).sendAgainAndAgain(usual);
      trip(1).sendAgainAndAgain(behindAPooler);

      assertThat(prepared(usual)).isEqualTo(1);
      assertThat(prepared(behindAPooler)).isEqualTo(0);
    }
  }

  private static int preparedAfterTenTripsOf(Connection connection, int scripts)
      throws SQLException {
    for (int run = 0; run < 10; run++) {
      RoundTrip trip = new RoundTrip();
      Collections.nCopies(scripts, Script.of(WHICH_TRANSACTION))
          .forEach(script -> trip.add(script, new Binds()));
      trip.send(connection, null);
    }
    return prepared(connection);
  }

  private static int prepared(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM pg_prepared_statements")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static RoundTrip trip(int statements) {
    Script script =
        Script.of(Collections.nCopies(statements, WHICH_TRANSACTION).toArray(Statement[]::new));
    return new RoundTrip().add(script, new Binds());
  }
}
