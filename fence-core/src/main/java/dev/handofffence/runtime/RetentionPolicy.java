package dev.handofffence.runtime;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.work.WorkState;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What is kept for how long, by the database's clock. Immutable.
 *
 * @param work how long a Work is kept after its last history entry, with its history, permits and
 *     result, and a worker after it was last heard of; {@link #SHORTEST_WORK_WINDOW} at least
 * @param identities how long after its acceptance a command is recognised, and in any case as long
 *     as its Work is kept; longer than the Work, and {@link #SHORTEST_IDENTITY_WINDOW} at least.
 *     Publish it to those who repeat commands: afterwards the same command is a new one, with a new
 *     effect
 * @param states the states whose Work is removed: none but succeeded, failed and canceled
 */
public record RetentionPolicy(Duration work, Duration identities, Set<WorkState> states) {

  /** A worker that was stopped for so long still has its late report kept beside the Work. */
  public static final Duration SHORTEST_WORK_WINDOW = Duration.ofHours(1);

  /** Commands are repeated for days when a queue or a client was down. */
  public static final Duration SHORTEST_IDENTITY_WINDOW = Duration.ofDays(7);

  /**
   * Checks the values.
   *
   * @param work how long a Work is kept after its last history entry, with its history, permits and
   *     result, and a worker after it was last heard of; {@link #SHORTEST_WORK_WINDOW} at least
   * @param identities how long after its acceptance a command is recognised, and in any case as
   *     long as its Work is kept; longer than the Work, and {@link #SHORTEST_IDENTITY_WINDOW} at
   *     least. Publish it to those who repeat commands: afterwards the same command is a new one,
   *     with a new effect
   * @param states the states whose Work is removed: none but succeeded, failed and canceled
   * @throws DurableException DUR100 when a window is too short, the identities' is not the longer
   *     one, or a state is not final
   */
  public RetentionPolicy {
    states = Set.copyOf(states);
    if (work.compareTo(SHORTEST_WORK_WINDOW) < 0) {
      throw invalid("work window is " + work + "; it must be at least " + SHORTEST_WORK_WINDOW);
    }
    if (identities.compareTo(SHORTEST_IDENTITY_WINDOW) < 0) {
      throw invalid(
          "identity window is " + identities + "; it must be at least " + SHORTEST_IDENTITY_WINDOW);
    }
    if (identities.compareTo(work) <= 0) {
      throw invalid("identity window " + identities + " is not longer than that of Work, " + work);
    }
    if (states.isEmpty() || !states.stream().allMatch(WorkState::isTerminal)) {
      throw invalid("states are " + states + "; allowed are SUCCEEDED, FAILED and CANCELED");
    }
  }

  /**
   * {@return a policy that removes Work of every final state}
   *
   * @param work how long ended Work is kept
   * @param identities how long commands are recognised
   */
  public static RetentionPolicy of(Duration work, Duration identities) {
    return new RetentionPolicy(
        work, identities, EnumSet.of(WorkState.SUCCEEDED, WorkState.FAILED, WorkState.CANCELED));
  }

  /**
   * {@return the same policy for Work of these states alone}
   *
   * @param removed none but succeeded, failed and canceled
   */
  public RetentionPolicy onlyStates(Set<WorkState> removed) {
    return new RetentionPolicy(work, identities, removed);
  }

  private static DurableException invalid(String observed) {
    return new DurableException(Problem.INVALID_REQUEST, observed);
  }
}
