package dev.handofffence.work;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.time.Duration;

/**
 * How long a claim is good for without renewal, and with all its renewals.
 *
 * @param duration 100 ms to one day; the pump renews well before it is over
 * @param maximumLifetime at least the duration, at most 30 days
 */
public record LeasePolicy(Duration duration, Duration maximumLifetime) {

  /**
   * Checks the values.
   *
   * @param duration 100 ms to one day; the pump renews well before it is over
   * @param maximumLifetime at least the duration, at most 30 days
   * @throws dev.handofffence.DurableException DUR100 when one is out of its range
   */
  public LeasePolicy {
    if (duration.compareTo(Duration.ofMillis(100)) < 0
        || duration.compareTo(Duration.ofDays(1)) > 0) {
      throw new DurableException(
          Problem.INVALID_REQUEST,
          "lease duration is " + duration + "; allowed are PT0.1S to PT24H");
    }
    if (maximumLifetime.compareTo(duration) < 0
        || maximumLifetime.compareTo(Duration.ofDays(30)) > 0) {
      throw new DurableException(
          Problem.INVALID_REQUEST,
          "maximum lease lifetime is "
              + maximumLifetime
              + "; allowed are the lease duration to PT720H");
    }
  }

  /**
   * {@return leases of this duration, renewed for up to the lifetime}
   *
   * @param duration 100 ms to one day
   * @param maximumLifetime the duration to 30 days
   */
  public static LeasePolicy of(Duration duration, Duration maximumLifetime) {
    return new LeasePolicy(duration, maximumLifetime);
  }

  /** {@return leases of 30 seconds, renewed for up to an hour} */
  public static LeasePolicy standard() {
    return new LeasePolicy(Duration.ofSeconds(30), Duration.ofHours(1));
  }
}
