package dev.handofffence.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.internal.thread.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private static final long SEED = 4711;

  private final Backoff backoff =
      new Backoff(Duration.ofMillis(10), Duration.ofMillis(100), new SplittableRandom(SEED));

  @Test
  void pauses_doubleUpToTheMaximumAndVaryByAQuarter() {
    List<Long> expected = List.of(10L, 20L, 40L, 80L, 100L, 100L, 100L);

    for (long millis : expected) {
      assertThat(backoff.next()).isBetween(millis * 750_000, millis * 1_250_000);
    }
  }

  @Test
  void pauses_areNotTheSameForEverybody() {
    LongStream.range(0, 10).forEach(i -> backoff.next());

    assertThat(LongStream.generate(backoff::next).limit(100).distinct().count()).isGreaterThan(90);
  }

  @Test
  void reset_beginsAgain() {
    LongStream.range(0, 10).forEach(i -> backoff.next());
    assertThat(backoff.isAtLeast(Duration.ofHours(1))).as("the longest there is").isTrue();

    backoff.reset();

    assertThat(backoff.isAtLeast(Duration.ofMillis(20))).isFalse();
    assertThat(backoff.next()).isLessThan(Duration.ofMillis(20).toNanos());
  }
}
