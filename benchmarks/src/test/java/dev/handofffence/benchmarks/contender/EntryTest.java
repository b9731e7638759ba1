package dev.handofffence.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EntryTest {

  @ParameterizedTest
  @EnumSource
  void key_leadsBackToItsEntry(Entry entry) {
    assertThat(Entry.of(entry.key())).isEqualTo(entry);
  }

  @Test
  void unknownKey_isRefusedWithThoseThatExist() {
    assertThatThrownBy(() -> Entry.of("other"))
        .hasMessageContaining("other")
        .hasMessageContaining("db-scheduler");
  }
}
