package dev.handofffence.internal.presence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CrowdTest {

  private long now = Long.MAX_VALUE; // System.nanoTime() may overflow at any moment
  private final Crowd crowd = new Crowd(() -> now);

  @Test
  void fewNotifications_areWelcome() {
    for (int i = 0; i < 50; i++) {
      crowd.heard(5);
      pass(Duration.ofMillis(100));
    }
    assertThat(crowd.nanosOfRest()).isZero();
  }

  @Test
  void manyAtOnce_giveARest() {
    crowd.heard(11);

    assertThat(crowd.nanosOfRest()).isBetween(millis(75), millis(125));
    pass(Duration.ofMillis(125));
    assertThat(crowd.nanosOfRest()).isZero();
  }

  @Test
  void crowdsInARow_giveLongerRestsUpToABound() {
    for (int i = 0; i < 10; i++) {
      crowd.heard(11);
      pass(Duration.ofNanos(crowd.nanosOfRest()));
    }
    crowd.heard(11);

    assertThat(crowd.nanosOfRest()).isBetween(millis(375), millis(625));
  }

  @Test
  void crowdAfterALongCalm_isTheFirstOneAgain() {
    for (int i = 0; i < 10; i++) {
      crowd.heard(11);
      pass(Duration.ofNanos(crowd.nanosOfRest()));
    }
    pass(Duration.ofSeconds(1));
    crowd.heard(11);

    assertThat(crowd.nanosOfRest()).isBetween(millis(75), millis(125));
  }

  @Test
  void callsInVain_giveARest() {
    for (int i = 0; i < 3; i++) {
      crowd.answered(true);
    }
    assertThat(crowd.nanosOfRest()).isZero();
    crowd.answered(true);

    assertThat(crowd.nanosOfRest()).isPositive();
  }

  @Test
  void callThatWasWorthIt_isNotTheLastOfMany() {
    for (int i = 0; i < 20; i++) {
      crowd.answered(i % 4 != 0);
    }
    assertThat(crowd.nanosOfRest()).isZero();
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private static long millis(long n) {
    return TimeUnit.MILLISECONDS.toNanos(n);
  }
}
