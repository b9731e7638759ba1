package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.inline;

import dev.handofffence.testing.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A length of time is the same on every day of the year, whatever the session's zone. */
class TimesTest {

  @ParameterizedTest
  @CsvSource({
    "2026-03-28T12:00:00Z, PT24H",
    "2026-10-24T12:00:00Z, PT24H",
    "2026-10-24T12:00:00Z, PT4800H",
    "2026-03-28T12:00:00Z, PT0.000001S",
  })
  void sum_isExactAcrossAChangeOfTheClocks(Instant time, Duration length) throws SQLException {
    Field<Instant> sum =
        Times.plus(
            inline(time, SQLDataType.INSTANT),
            inline(length, WORK_SNAPSHOT.LEASE_DURATION.getDataType()));

    assertThat(ask(sum)).isEqualTo(time.plus(length));
  }

  private static <T> T ask(Field<T> field) throws SQLException {
    try (Connection connection = PostgresServer.shared().superuser("postgres").getConnection();
        var statement = connection.createStatement()) {
      statement.execute("SET TIME ZONE 'Europe/Berlin'");
      return DSL.using(connection, SQLDialect.POSTGRES).select(field).fetchSingle().value1();
    }
  }
}
