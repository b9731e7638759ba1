package dev.handofffence.work;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Fixed times of the attempts, instead of a retry policy (protocol section 8).
 *
 * @param offsets 1 to 256 strictly increasing offsets from acceptance, the first zero; as many
 *     attempts as offsets; whole microseconds
 * @param circuitDuration longer than the last offset, at most 3,660 days; no attempt starts when it
 *     has passed
 */
public record AttemptPlan(List<Duration> offsets, Duration circuitDuration) {

  private static final Duration LONGEST = Duration.ofDays(3_660);

  /**
   * Checks the values.
   *
   * @param offsets 1 to 256 strictly increasing offsets from acceptance, the first zero; as many
   *     attempts as offsets; whole microseconds
   * @param circuitDuration longer than the last offset, at most 3,660 days; no attempt starts when
   *     it has passed
   * @throws dev.handofffence.DurableException DUR100 when one is out of its range
   */
  public AttemptPlan {
    offsets = List.copyOf(offsets);
    if (offsets.isEmpty() || offsets.size() > 256) {
      throw invalid("attempt plan with " + offsets.size() + " offsets; allowed are 1 to 256");
    }
    if (!offsets.get(0).isZero()) {
      throw invalid(
          "the first offset of the attempt plan is " + offsets.get(0) + "; it must be zero");
    }
    for (int i = 1; i < offsets.size(); i++) {
      if (!offsets.get(i).equals(offsets.get(i).truncatedTo(ChronoUnit.MICROS))) {
        throw invalid(
            "offset " + (i + 1) + " of the attempt plan is not a whole number of microseconds");
      }
      if (offsets.get(i).compareTo(offsets.get(i - 1)) <= 0) {
        throw invalid(
            "offset " + (i + 1) + " of the attempt plan is not greater than the one before");
      }
    }
    if (circuitDuration.compareTo(offsets.get(offsets.size() - 1)) <= 0) {
      throw invalid("the circuit duration of the attempt plan is not greater than its last offset");
    }
    if (circuitDuration.compareTo(LONGEST) > 0) {
      throw invalid("the circuit duration is " + circuitDuration + "; allowed is up to " + LONGEST);
    }
  }

  private static DurableException invalid(String observed) {
    return new DurableException(Problem.INVALID_REQUEST, observed);
  }
}
