package dev.handofffence.generated.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.jooq.types.DayToSecond;
import org.jooq.types.YearToMonth;
import org.jooq.types.YearToSecond;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationConverterTest {

  private final DurationConverter converter = new DurationConverter();

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT0.000001S", "PT1.999999S", "PT36H", "PT1080H", "PT-0.25S"})
  void length_comesBackAsItWas(Duration length) {
    assertThat(converter.from(converter.to(length))).isEqualTo(length);
  }

  @Test
  void days_areNotFoldedIntoMonths() {
    assertThat(converter.to(Duration.ofDays(45)))
        .returns(0, YearToSecond::getMonths)
        .returns(45, YearToSecond::getDays)
        .returns(0, YearToSecond::getHours);
  }

  @Test
  void month_isRefused() {
    YearToSecond month = new YearToSecond(new YearToMonth(0, 1), new DayToSecond());

    assertThatThrownBy(() -> converter.from(month))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Not an exact length of time");
  }
}
