package dev.handofffence.benchmarks.report;

import static dev.handofffence.benchmarks.contender.Entry.BEST_PEER;
import static dev.handofffence.benchmarks.contender.Entry.FENCE;

import java.util.OptionalDouble;

/** What the runs under several conditions have to show about this library. */
public final class GridTargets {

  private static final double NO_MORE_THAN_A_TENTH = 0.9;

  private GridTargets() {}

  /**
   * Beside jobs that have ended, it accepts or drains as fast as beside none.
   *
   * @param grid its conditions are {@code without} and {@code with}, among others
   * @param without beside none
   * @param with beside the most
   */
  public static Target growth(Grid grid, String without, String with) {
    return Target.atLeast(
        grid.title() + ": " + with + ", to " + without,
        NO_MORE_THAN_A_TENTH,
        grid.ratio(FENCE, with, without));
  }

  /**
   * It keeps more of its rate than the best peer does of its own.
   *
   * @param grid its conditions are {@code without} and {@code with}, among others
   * @param without the last wave when what has died was cleaned up
   * @param with the last wave when it was not
   */
  public static Target heldXmin(Grid grid, String without, String with) {
    return Target.atLeast(
        "share of the rate that is kept under a held xmin, to the best peer's share",
        1,
        quotient(grid.ratio(FENCE, with, without), grid.ratio(BEST_PEER, with, without)));
  }

  private static OptionalDouble quotient(OptionalDouble ours, OptionalDouble theirs) {
    return ours.isPresent() && theirs.isPresent() && theirs.getAsDouble() != 0
        ? OptionalDouble.of(ours.getAsDouble() / theirs.getAsDouble())
        : OptionalDouble.empty();
  }
}
