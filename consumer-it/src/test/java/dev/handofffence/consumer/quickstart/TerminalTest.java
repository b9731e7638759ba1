package dev.handofffence.consumer.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTest {

  @Test
  void colours_areForTerminalsOnly() {
    assertThat(Terminal.wantsColours(true, null, "xterm")).isTrue();
    assertThat(Terminal.wantsColours(false, null, "xterm")).isFalse();
  }

  @Test
  void colours_canBeTurnedOff() {
    assertThat(Terminal.wantsColours(true, "1", "xterm")).isFalse();
    assertThat(Terminal.wantsColours(true, "", "xterm")).isTrue();
    assertThat(Terminal.wantsColours(true, null, "dumb")).isFalse();
  }
}
