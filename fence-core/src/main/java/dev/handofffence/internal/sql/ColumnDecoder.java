package dev.handofffence.internal.sql;

import static java.util.Map.entry;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.jooq.Converter;
import org.jooq.Field;
import org.jooq.types.DayToSecond;
import org.jooq.types.YearToMonth;
import org.jooq.types.YearToSecond;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGInterval;

/** Reads one column of a row: chosen once, when its statement is made, by the column's type. */
@FunctionalInterface
interface ColumnDecoder {

  /** By what the server's value is in Java, before the column's own converter. */
  Map<Class<?>, ColumnDecoder> BY_TYPE =
      Map.ofEntries(
          entry(String.class, ResultSet::getString),
          entry(byte[].class, ResultSet::getBytes),
          entry(BigDecimal.class, ResultSet::getBigDecimal),
          entry(Boolean.class, unlessNull(ResultSet::getBoolean)),
          entry(Short.class, unlessNull(ResultSet::getShort)),
          entry(Integer.class, unlessNull(ResultSet::getInt)),
          entry(Long.class, unlessNull(ResultSet::getLong)),
          entry(Double.class, unlessNull(ResultSet::getDouble)),
          entry(UUID.class, (rows, column) -> rows.getObject(column, UUID.class)),
          entry(Instant.class, ColumnDecoder::instant),
          entry(YearToSecond.class, ColumnDecoder::interval),
          entry(String[].class, ColumnDecoder::array),
          entry(UUID[].class, ColumnDecoder::array),
          entry(Integer[].class, ColumnDecoder::array),
          entry(Long[].class, ColumnDecoder::array));

  /**
   * Reads the current row's value.
   *
   * @param column from 1, as JDBC counts
   */
  @Nullable Object read(ResultSet rows, int column) throws SQLException;

  /**
   * Returns the decoder of a column.
   *
   * @throws IllegalArgumentException when columns of its type cannot be read
   */
  static ColumnDecoder of(Field<?> field) {
    return of(field.getConverter(), field);
  }

  private static <T> ColumnDecoder of(Converter<T, ?> converter, Field<?> field) {
    Class<T> type = converter.fromType();
    ColumnDecoder raw = BY_TYPE.get(type);
    if (raw == null) {
      throw new IllegalArgumentException(
          "Column " + field.getName() + " is of " + type.getName() + ", which cannot be read");
    }
    return (rows, column) -> converter.from(type.cast(raw.read(rows, column)));
  }

  /** The driver's getters of primitive values say afterwards whether there was one. */
  private static ColumnDecoder unlessNull(ColumnDecoder primitive) {
    return (rows, column) -> {
      Object value = primitive.read(rows, column);
      return rows.wasNull() ? null : value;
    };
  }

  private static @Nullable Instant instant(ResultSet rows, int column) throws SQLException {
    OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
    if (OffsetDateTime.MAX.equals(time) || OffsetDateTime.MIN.equals(time)) {
      throw new IllegalArgumentException("An infinite time is not an instant");
    }
    return time == null ? null : time.toInstant();
  }

  private static @Nullable YearToSecond interval(ResultSet rows, int column) throws SQLException {
    // Not with the class, for which the driver makes a length of zero out of null.
    PGInterval interval = (PGInterval) rows.getObject(column);
    return interval == null
        ? null
        : new YearToSecond(
            new YearToMonth(interval.getYears(), interval.getMonths()),
            dayToSecond(length(interval)));
  }

  /** Of the length without its sign, which jOOQ loses from what is shorter than a second. */
  private static DayToSecond dayToSecond(Duration length) {
    DayToSecond size = DayToSecond.valueOf(length.abs());
    return length.isNegative() ? size.neg() : size;
  }

  private static Duration length(PGInterval interval) {
    return Duration.ofDays(interval.getDays())
        .plusHours(interval.getHours())
        .plusMinutes(interval.getMinutes())
        .plusSeconds(interval.getWholeSeconds())
        .plus(interval.getMicroSeconds(), ChronoUnit.MICROS);
  }

  private static @Nullable Object array(ResultSet rows, int column) throws SQLException {
    Array array = rows.getArray(column);
    return array == null ? null : array.getArray();
  }
}
