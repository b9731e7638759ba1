package dev.handofffence.generated.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LowerCaseEnumConverterTest {

  private final LowerCaseEnumConverter<PermitState> converter =
      new LowerCaseEnumConverter<>(PermitState.class);

  @Test
  void constant_isLowerCaseText() {
    assertThat(converter.to(PermitState.NO_EFFECT)).isEqualTo("no_effect");
    assertThat(converter.from("no_effect")).isEqualTo(PermitState.NO_EFFECT);
  }

  @Test
  void null_staysNull() {
    assertThat(converter.to(null)).isNull();
    assertThat(converter.from(null)).isNull();
  }

  @Test
  void unknownText_isRefused() {
    assertThatThrownBy(() -> converter.from("NO_EFFECT"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Unknown PermitState 'NO_EFFECT'");
  }
}
