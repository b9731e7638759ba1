package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import dev.handofffence.generated.Tables;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The database's clock, and sums with it that no session time zone can bend. */
final class Times {

  static final Field<Instant> CLOCK = DSL.function("clock_timestamp", SQLDataType.INSTANT);

  /**
   * The one time of a statement. Materialised, so that every predicate of it compares with the same
   * instant.
   */
  static final CommonTableExpression<Record1<Instant>> SAMPLED =
      name("sampled").fields("at").asMaterialized(select(CLOCK));

  static final Field<Instant> AT = DSL.field(name("sampled", "at"), SQLDataType.INSTANT);

  private Times() {}

  /**
   * Adds a length of time. An interval of a day, which is how lengths from 24 hours on come into
   * the store, would otherwise be a calendar day of 23 or 25 hours where clocks are changed.
   */
  static Field<Instant> plus(Field<Instant> time, Field<Duration> length) {
    return plusSeconds(time, seconds(length));
  }

  static Field<Instant> plusSeconds(Field<Instant> time, Field<BigDecimal> seconds) {
    return DSL.field(
        "({0} + make_interval(secs => {1}))",
        SQLDataType.INSTANT, time, seconds.cast(SQLDataType.DOUBLE));
  }

  static Field<BigDecimal> seconds(Field<Duration> length) {
    return DSL.field("extract(epoch from {0})", SQLDataType.NUMERIC, length);
  }

  /** The length of time from one instant to a later one. */
  static Field<Duration> between(Field<Instant> from, Field<Instant> until) {
    return DSL.field("({0} - {1})", Tables.WORK_SNAPSHOT.LEASE_DURATION.getDataType(), until, from);
  }

  /** Unlike an interval, a number needs no zone to be added. */
  static Field<BigDecimal> microseconds(Field<Long> value) {
    return value.cast(SQLDataType.NUMERIC).div(inline(new BigDecimal(1_000_000)));
  }
}
