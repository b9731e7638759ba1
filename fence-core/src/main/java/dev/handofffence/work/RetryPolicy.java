package dev.handofffence.work;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.time.Duration;
import java.util.Optional;

/**
 * Policy {@code exponential-v1}: after failed attempt n the delay is {@code min(maximum, initial *
 * 2^(n-1))} (protocol section 8).
 *
 * @param maxAttempts 1 to 1,000,000; an attempt whose worker was lost before its permit had no
 *     effect and does not count
 * @param initialDelay at least one millisecond
 * @param maximumDelay at least the initial delay, at most 366 days
 * @param elapsedHorizon no further attempt starts when this long has passed since acceptance
 */
public record RetryPolicy(
    int maxAttempts,
    Duration initialDelay,
    Duration maximumDelay,
    Optional<Duration> elapsedHorizon) {

  private static final Duration LONGEST = Duration.ofDays(366);

  /**
   * Checks the values.
   *
   * @param maxAttempts 1 to 1,000,000
   * @param initialDelay at least one millisecond
   * @param maximumDelay at least the initial delay, at most 366 days
   * @param elapsedHorizon no further attempt starts when this long has passed since acceptance
   * @throws dev.handofffence.DurableException DUR100 when one is out of its range
   */
  public RetryPolicy {
    if (maxAttempts < 1 || maxAttempts > 1_000_000) {
      throw invalid("maxAttempts is " + maxAttempts + "; allowed are 1 to 1,000,000");
    }
    if (initialDelay.compareTo(Duration.ofMillis(1)) < 0 || maximumDelay.compareTo(LONGEST) > 0) {
      throw invalid(
          "retry delays are "
              + initialDelay
              + " to "
              + maximumDelay
              + "; allowed are PT0.001S to "
              + LONGEST);
    }
    if (maximumDelay.compareTo(initialDelay) < 0) {
      throw invalid("maximumDelay " + maximumDelay + " is below initialDelay " + initialDelay);
    }
    elapsedHorizon.ifPresent(RetryPolicy::checkHorizon);
  }

  /**
   * {@return attempts with delays from one second to five minutes and no horizon}
   *
   * @param maxAttempts 1 to 1,000,000
   */
  public static RetryPolicy attempts(int maxAttempts) {
    return new RetryPolicy(
        maxAttempts, Duration.ofSeconds(1), Duration.ofMinutes(5), Optional.empty());
  }

  /**
   * {@return the same policy with other delays}
   *
   * @param initial delay after the first attempt
   * @param maximum longest delay
   */
  public RetryPolicy withDelays(Duration initial, Duration maximum) {
    return new RetryPolicy(maxAttempts, initial, maximum, elapsedHorizon);
  }

  /**
   * {@return the same policy that starts no attempt later than this after acceptance}
   *
   * @param horizon 1 ms to ten years of 366 days
   */
  public RetryPolicy withElapsedHorizon(Duration horizon) {
    return new RetryPolicy(maxAttempts, initialDelay, maximumDelay, Optional.of(horizon));
  }

  /**
   * {@return the delay after a failed attempt; capped before it can overflow}
   *
   * @param attempt number of the failed attempt, from 1
   */
  public Duration delayAfter(int attempt) {
    Duration delay = initialDelay;
    for (int n = 1; n < attempt; n++) {
      if (delay.compareTo(maximumDelay.dividedBy(2)) > 0) {
        return maximumDelay;
      }
      delay = delay.multipliedBy(2);
    }
    return delay;
  }

  private static void checkHorizon(Duration horizon) {
    if (horizon.compareTo(Duration.ofMillis(1)) < 0
        || horizon.compareTo(LONGEST.multipliedBy(10)) > 0) {
      throw invalid(
          "elapsedHorizon is " + horizon + "; allowed are PT0.001S to " + LONGEST.multipliedBy(10));
    }
  }

  private static DurableException invalid(String observed) {
    return new DurableException(Problem.INVALID_REQUEST, observed);
  }
}
