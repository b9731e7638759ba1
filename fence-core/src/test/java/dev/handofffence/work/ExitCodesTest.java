package dev.handofffence.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;

/** An exit keeps its meaning whatever its code looks like. */
class ExitCodesTest {

  @ParameterizedTest
  @CsvSource({
    "denied:by-Shop_1.x, denied:by-Shop_1.x",
    "not allowed!, not_allowed_",
    "größe, gr__e",
  })
  void otherCharacters_becomeUnderscores(String code, String kept) {
    assertThat(WorkExit.retryBeforeEffect(code)).isEqualTo(new WorkExit.RetryBeforeEffect<>(kept));
    assertThat(WorkExit.failedWithoutEffect(code))
        .isEqualTo(new WorkExit.FailedWithoutEffect<>(kept));
    assertThat(WorkExit.ambiguous(code)).isEqualTo(new WorkExit.Ambiguous<>(kept));
    assertThat(new WorkExit.RetryBeforeEffect<String>(code).code()).isEqualTo(kept);
  }

  @ParameterizedTest
  @CsvSource({"200, 200", "201, 200", "5000, 200"})
  void longCode_isCut(int length, int kept) {
    assertThat(new WorkExit.Ambiguous<String>("x".repeat(length)).code())
        .isEqualTo("x".repeat(kept));
  }

  @ParameterizedTest
  @NullAndEmptySource
  @SuppressWarnings("NullAway") // what an application without null checks may do
  void missingCode_hasAName(String code) {
    assertThat(new WorkExit.FailedWithoutEffect<String>(code).code()).isEqualTo("unspecified");
  }
}
