package dev.handofffence.runtime;

import dev.handofffence.Problem;
import java.util.Objects;
import java.util.Optional;

/**
 * How a worker host is, as it knows itself.
 *
 * @param state the first state that applies
 * @param problem what is wrong and what to do; present when the state is stale, incompatible or
 *     unavailable, and perhaps while draining; also when it is healthy and only its reconcilers
 *     cannot be asked
 * @param observed what was seen of the problem, where that says more: a fixed text, such as {@code
 *     SQLSTATE 28P01, the password or the role is wrong}, or the name of an exception's class
 * @param running attempts that have not ended, with those whose report is not recorded yet, and
 *     reconcilers that have not answered
 */
public record HostHealth(
    State state, Optional<Problem> problem, Optional<String> observed, int running) {

  /**
   * Checks the values.
   *
   * @param state the first state that applies
   * @param problem what is wrong and what to do; present when the state is stale, incompatible or
   *     unavailable, and perhaps while draining; also when it is healthy and only its reconcilers
   *     cannot be asked
   * @param observed what was seen of the problem, where that says more: a fixed text, such as
   *     {@code SQLSTATE 28P01, the password or the role is wrong}, or the name of an exception's
   *     class
   * @param running attempts that have not ended, with those whose report is not recorded yet, and
   *     reconcilers that have not answered
   */
  public HostHealth {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(problem, "problem");
    Objects.requireNonNull(observed, "observed");
  }

  /** {@return whether it takes Work as it should: for a readiness probe} */
  public boolean isHealthy() {
    return state == State.HEALTHY;
  }

  /** States of a host; the first that applies, from the last to the first. */
  public enum State {
    /** It takes Work. */
    HEALTHY,
    /** It is not registered yet, or no pass has ended since it was started. */
    NOT_STARTED,
    /**
     * It takes no more Work: an operator asked for that, until the request is taken back; or it is
     * stopping.
     */
    DRAINING,
    /** It has not got on for longer than {@link HostOptions#staleAfter()}: DUR404. */
    STALE,
    /** The database does not answer, or refuses: DUR103. It tries again by itself. */
    UNAVAILABLE,
    /**
     * It must not work on this store: DUR108, DUR115 or DUR400 to DUR403; or another live worker
     * has its id: DUR405. It looks again by itself.
     */
    INCOMPATIBLE,
    /** It has stopped for good. */
    STOPPED
  }
}
