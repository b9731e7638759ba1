package dev.handofffence.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SamplesTest {

  @Test
  void median_ofAnOddNumberIsTheMiddleOne() {
    assertThat(of(9, 1, 5).median()).isEqualTo(5);
  }

  @Test
  void median_ofAnEvenNumberIsBetweenTheMiddleTwo() {
    assertThat(of(9, 1, 5, 2).median()).isEqualTo(3.5);
  }

  @Test
  void extremes_areThoseOfAllRounds() {
    assertThat(of(3, 9, 1).min()).isEqualTo(1);
    assertThat(of(3, 9, 1).max()).isEqualTo(9);
  }

  private static Samples of(double... values) {
    Samples samples = new Samples();
    for (double value : values) {
      samples.add(value);
    }
    return samples;
  }
}
