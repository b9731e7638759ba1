package dev.handofffence.internal.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallCountTest {

  private final CallCount count = new CallCount();

  @Test
  void thirtyCallsInATransaction_areFine_andTheNextIsOneTooMany() {
    for (int call = 1; call <= 30; call++) {
      assertThat(count.exceeds(7)).as("call %s", call).isFalse();
    }
    assertThat(count.exceeds(7)).isTrue();
  }

  @Test
  void anotherTransaction_countsAnew() {
    for (int call = 1; call <= 60; call++) {
      assertThat(count.exceeds(call <= 30 ? 7 : 8)).as("call %s", call).isFalse();
    }
  }
}
