package dev.handofffence.runtime;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.time.Duration;

/**
 * Bounds of one pass of the pump.
 *
 * @param maxItems 1 to 10,000 Works at most
 * @param timeBudget no further Work is claimed when this much time has passed
 */
public record PumpPass(int maxItems, Duration timeBudget) {

  /**
   * Checks the values.
   *
   * @param maxItems 1 to 10,000 Works at most
   * @param timeBudget no further Work is claimed when this much time has passed
   * @throws dev.handofffence.DurableException DUR100 when one is out of its range
   */
  public PumpPass {
    if (maxItems < 1 || maxItems > 10_000) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "maxItems is " + maxItems + "; allowed are 1 to 10,000");
    }
    if (timeBudget.isNegative() || timeBudget.isZero()) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "timeBudget is " + timeBudget + "; it must be positive");
    }
  }

  /**
   * {@return a pass of up to so many Works within a minute}
   *
   * @param maxItems 1 to 10,000
   */
  public static PumpPass of(int maxItems) {
    return new PumpPass(maxItems, Duration.ofMinutes(1));
  }

  /**
   * {@return the same pass with another time budget}
   *
   * @param budget how long Work is claimed
   */
  public PumpPass within(Duration budget) {
    return new PumpPass(maxItems, budget);
  }
}
