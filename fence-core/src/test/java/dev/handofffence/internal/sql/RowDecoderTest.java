package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;

import dev.handofffence.generated.Durable;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.testing.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGStatement;

/** What we read is what jOOQ would have read, whichever way the driver got it. */
class RowDecoderTest {

  private static final int AS_TEXT = 0;
  private static final int AS_BINARY = -1;

  private static final DataType<WorkState> STATE = WORK.STATE.getDataType();
  private static final DataType<Duration> LENGTH = WORK_SNAPSHOT.LEASE_DURATION.getDataType();

  private static Stream<Arguments> values() {
    return Stream.of(
            values(SQLDataType.CLOB, "text", "", "Überweisung, 'zweite'"),
            values(SQLDataType.VARCHAR, "name", "durable"),
            values(SQLDataType.BOOLEAN, "boolean", "true", "false"),
            values(SQLDataType.SMALLINT, "smallint", "0", "-32768"),
            values(SQLDataType.INTEGER, "integer", "0", "2147483647"),
            values(SQLDataType.INTEGER, "bigint", "7"),
            values(SQLDataType.BIGINT, "bigint", "0", "-9223372036854775808"),
            values(SQLDataType.NUMERIC, "numeric", "0", "12.3400"),
            values(SQLDataType.DOUBLE, "double precision", "0", "0.1"),
            values(SQLDataType.UUID, "uuid", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
            values(SQLDataType.BLOB, "bytea", "", "\\x00ff7f"),
            values(
                SQLDataType.INSTANT,
                "timestamptz",
                "2026-03-29 00:59:59.999999+00",
                "2026-10-25 02:30:00+02",
                "1969-12-31 23:59:59.000001+00",
                "1066-10-14 09:00:00+00"),
            values(STATE, "text", "permitted"),
            values(
                LENGTH,
                "interval",
                "0",
                "45 days 01:02:03.000001",
                "-00:00:00.25",
                "-3 days -04:05:06.999999",
                "500:00:00"),
            values(SQLDataType.CLOB.array(), "text[]", "{}", "{a,NULL,\"b,c\"}"),
            values(SQLDataType.INTEGER.array(), "integer[]", "{1,NULL}"),
            values(SQLDataType.BIGINT.array(), "bigint[]", "{1,NULL}"),
            values(SQLDataType.UUID.array(), "uuid[]", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}"))
        .flatMap(some -> some)
        .flatMap(
            value ->
                IntStream.of(AS_TEXT, AS_BINARY)
                    .mapToObj(transfer -> Arguments.of(value, transfer)));
  }

  private static Stream<Field<?>> values(DataType<?> type, String sqlType, String... texts) {
    return Stream.concat(Stream.of("null"), Stream.of(texts).map(text -> inline(text).toString()))
        .map(literal -> field(literal + "::" + sqlType, type));
  }

  @ParameterizedTest
  @MethodSource("values")
  void value_isWhatJooqReads(Field<?> field, int transfer) throws SQLException {
    Object ours = query(field, transfer, rows -> decode(rows, field).get(0).get(field));
    Object jooqs =
        query(
            field,
            transfer,
            rows -> DSL.using(SQLDialect.POSTGRES).fetch(rows, field).get(0).get(field));

    assertThat(ours).isEqualTo(jooqs);
  }

  /** Where jOOQ takes one sign for that of all parts. */
  @ParameterizedTest
  @CsvSource({"1 day -00:00:00.25, PT23H59M59.75S", "-1 day 01:00:00, PT-23H"})
  void intervalOfTwoSigns_isItsSum(String text, Duration length) throws SQLException {
    Field<Duration> interval = field("{0}::interval", LENGTH, inline(text));

    Duration read = query(interval, AS_TEXT, rows -> decode(rows, interval).get(0).get(interval));

    assertThat(read).isEqualTo(length);
  }

  @Test
  void everyColumnOfTheSchema_canBeRead() {
    assertThat(Durable.DURABLE.getTables())
        .flatExtracting(table -> List.of(table.fields()))
        .allSatisfy(column -> assertThat(ColumnDecoder.of(column)).isNotNull());
  }

  @Test
  void typeThatIsNotKnown_isRefusedWhenTheStatementIsMade() {
    Field<?> range = field("int4range(1, 2)", SQLDataType.OTHER);

    assertThatThrownBy(() -> Statement.ofRows(DSL.select(range)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.Object, which cannot be read");
  }

  @ParameterizedTest
  @CsvSource({"1 month", "-1 year"})
  void intervalWithoutAnExactLength_isRefused(String text) {
    Field<Duration> month = field("{0}::interval", LENGTH, inline(text));

    assertThatThrownBy(() -> query(month, AS_TEXT, rows -> decode(rows, month)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Not an exact length of time");
  }

  @ParameterizedTest
  @CsvSource({"infinity, 0", "infinity, -1", "-infinity, 0", "-infinity, -1"})
  void infiniteTime_isRefused(String text, int transfer) {
    Field<Instant> never = field("{0}::timestamptz", SQLDataType.INSTANT, inline(text));

    assertThatThrownBy(() -> query(never, transfer, rows -> decode(rows, never)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("infinite");
  }

  @Test
  void stateOfALaterSchema_isRefused() {
    Field<WorkState> later = field("'petrified'::text", STATE);

    assertThatThrownBy(() -> query(later, AS_TEXT, rows -> decode(rows, later)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Unknown WorkState 'petrified'");
  }

  @Test
  void rowsOfManyBatches_areAllReadInOrder() throws SQLException {
    Field<Integer> number = field("generate_series(1, 100)", SQLDataType.INTEGER);
    Field<String> text = field("'row ' || generate_series(1, 100)", SQLDataType.CLOB);

    Rows rows =
        queryAll(
            List.of(number, text), AS_TEXT, r -> new RowDecoder(List.of(number, text)).decode(r));

    assertThat(rows).hasSize(100);
    assertThat(rows.map(row -> row.get(number) + " " + row.get(text)))
        .isEqualTo(IntStream.rangeClosed(1, 100).mapToObj(i -> i + " row " + i).toList());
    assertThat(rows.get(99).get(0, Integer.class)).isEqualTo(100);
    assertThatThrownBy(() -> rows.get(100)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void columnsOfOneName_areToldApartByTheirTables() {
    Rows rows = rowOf(List.of(WORK.STATE, PERMIT.STATE), "of the Work", "of the permit");

    assertThat((Object) rows.get(0).get(PERMIT.STATE)).isEqualTo("of the permit");
    assertThat((Object) rows.get(0).get(field(PERMIT.STATE.getQualifiedName(), String.class)))
        .isEqualTo("of the permit");
  }

  @Test
  void columnThatIsNotInTheRow_isNamed() {
    Rows rows = rowOf(List.of(WORK.STATE, WORK.ATTEMPT), WorkState.READY, 1);

    assertThatThrownBy(() -> rows.get(0).get(WORK.REVISION))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"revision\" among [state, attempt]");
    assertThatThrownBy(() -> rows.get(0).get(2, Integer.class))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void rowOfAnotherWidth_isRefused() {
    Field<Integer> one = inline(1);

    assertThatThrownBy(
            () ->
                queryAll(
                    List.of(one, one), AS_TEXT, rows -> new RowDecoder(List.of(one)).decode(rows)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Rows have 2 columns where [1] are expected");
  }

  private static Rows rowOf(List<Field<?>> fields, @Nullable Object... values) {
    return new Rows(new RowDecoder(fields), values, 1);
  }

  private static Rows decode(ResultSet rows, Field<?> field) throws SQLException {
    return new RowDecoder(List.of(field)).decode(rows);
  }

  @FunctionalInterface
  private interface Reading<T extends @Nullable Object> {
    T read(ResultSet rows) throws SQLException;
  }

  private static <T extends @Nullable Object> T query(
      Field<?> field, int transfer, Reading<T> reading) throws SQLException {
    return queryAll(List.of(field), transfer, reading);
  }

  private static <T extends @Nullable Object> T queryAll(
      List<Field<?>> fields, int transfer, Reading<T> reading) throws SQLException {
    String sql = DSL.using(SQLDialect.POSTGRES).renderInlined(DSL.select(fields));
    try (Connection connection = PostgresServer.shared().superuser("postgres").getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.unwrap(PGStatement.class).setPrepareThreshold(transfer);
      statement.execute();
      return reading.read(Objects.requireNonNull(statement.getResultSet()));
    }
  }
}
