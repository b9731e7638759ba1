package dev.handofffence.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NamedParametersTest {

  @Test
  void names_becomeQuestionMarksInTheirOrder() {
    NamedParameters parameters = NamedParameters.of("SELECT :b, :a, :b::text");
    assertThat(parameters.sql()).isEqualTo("SELECT ?, ?, ?::text");
    assertThat(parameters.values(Map.of("a", 1, "b", 2))).containsExactly(2, 1, 2);
  }
}
