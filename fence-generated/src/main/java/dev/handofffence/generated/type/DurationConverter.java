package dev.handofffence.generated.type;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jooq.impl.AbstractConverter;
import org.jooq.types.DayToSecond;
import org.jooq.types.YearToMonth;
import org.jooq.types.YearToSecond;
import org.jspecify.annotations.Nullable;

/**
 * Maps {@code interval} columns that hold an exact length of time.
 *
 * <p>Never folded into months. jOOQ folds 24 hours into a day, which comes back as the same length
 * but is not the same to {@code timestamptz + interval} in a session whose zone changes its clocks:
 * there, add {@code make_interval(secs => extract(epoch from ...))}.
 *
 * <p>jOOQ reads the seconds as a floating-point number, so what it read is rounded to the
 * microsecond that the server stores.
 */
public final class DurationConverter extends AbstractConverter<YearToSecond, Duration> {

  private static final long serialVersionUID = 1L;

  /** Creates the converter. */
  public DurationConverter() {
    super(YearToSecond.class, Duration.class);
  }

  @Override
  public @Nullable Duration from(@Nullable YearToSecond interval) {
    if (interval == null) {
      return null;
    }
    if (interval.getYears() != 0 || interval.getMonths() != 0) {
      throw new IllegalArgumentException("Not an exact length of time: " + interval);
    }
    long nanos = interval.toDuration().toNanos();
    return Duration.of(Math.floorDiv(nanos + 500, 1000), ChronoUnit.MICROS);
  }

  @Override
  public @Nullable YearToSecond to(@Nullable Duration length) {
    if (length == null) {
      return null;
    }
    Duration size = length.abs();
    DayToSecond time =
        new DayToSecond(
            0,
            Math.toIntExact(size.toHours()),
            size.toMinutesPart(),
            size.toSecondsPart(),
            size.toNanosPart());
    return new YearToSecond(new YearToMonth(), length.isNegative() ? time.neg() : time);
  }
}
