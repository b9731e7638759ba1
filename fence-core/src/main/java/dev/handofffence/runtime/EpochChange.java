package dev.handofffence.runtime;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/**
 * Activation of an epoch, kept in the store with actor and reason.
 *
 * @param epoch the epoch to activate, never used before; the deployer makes it, so that the command
 *     can be repeated when its answer was lost
 * @param actor who does it, 1 to 200 characters
 * @param reason why, 1 to 2000 characters
 * @param patience how long to wait for running transactions, zero to one day
 */
public record EpochChange(UUID epoch, String actor, String reason, Duration patience) {

  /**
   * Checks the values.
   *
   * @param epoch the epoch to activate, never used before; the deployer makes it, so that the
   *     command can be repeated when its answer was lost
   * @param actor who does it, 1 to 200 characters
   * @param reason why, 1 to 2000 characters
   * @param patience how long to wait for running transactions, zero to one day
   * @throws dev.handofffence.DurableException DUR100 when one is out of its range
   */
  public EpochChange {
    Objects.requireNonNull(epoch, "epoch");
    check("actor", actor, 200);
    check("reason", reason, 2000);
    if (patience.isNegative() || patience.compareTo(Duration.ofDays(1)) > 0) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "patience is " + patience + "; allowed are PT0S to PT24H");
    }
  }

  /** Returns a text without actor and reason, which may name people. */
  @Override
  public String toString() {
    return "EpochChange[epoch=" + epoch + "]";
  }

  /**
   * {@return a change that waits for running transactions for up to a minute}
   *
   * @param epoch the epoch to activate
   * @param actor who decides; kept in the history
   * @param reason why; kept in the history
   */
  public static EpochChange of(UUID epoch, String actor, String reason) {
    return new EpochChange(epoch, actor, reason, Duration.ofMinutes(1));
  }

  /**
   * {@return the same change with another bound of its wait}
   *
   * @param bound zero to one day
   */
  public EpochChange within(Duration bound) {
    return new EpochChange(epoch, actor, reason, bound);
  }

  private static void check(String what, String value, int longest) {
    if (value.isEmpty() || value.length() > longest) {
      throw new DurableException(
          Problem.INVALID_REQUEST,
          what + " of " + value.length() + " characters; allowed are 1 to " + longest);
    }
  }
}
