package dev.handofffence.internal.state;

import static dev.handofffence.generated.type.WorkState.CANCELED;
import static dev.handofffence.generated.type.WorkState.CLAIMED;
import static dev.handofffence.generated.type.WorkState.FAILED;
import static dev.handofffence.generated.type.WorkState.PERMITTED;
import static dev.handofffence.generated.type.WorkState.READY;
import static dev.handofffence.generated.type.WorkState.SUCCEEDED;
import static dev.handofffence.generated.type.WorkState.SUSPENDED;

import dev.handofffence.generated.type.WorkState;
import java.util.List;

/**
 * Every way from one state to another that the executor has. The SQL inlines the states from here,
 * and the history keeps the event.
 */
public enum WorkTransition {
  /** An attempt takes a Work that is due, or whose lease has expired. */
  CLAIM("claimed", CLAIMED, READY, CLAIMED, PERMITTED),
  /** The attempt may have its effect; the permit commits with it, and only once per claim. */
  PERMIT("permitted", PERMITTED, CLAIMED),
  /** The effect happened. */
  SUCCEED("succeeded", SUCCEEDED, PERMITTED),
  /** Another attempt follows after the retry delay. */
  RETRY("retry_scheduled", READY, PERMITTED),
  /** No attempt is left, or the executor gave up; legal only without any possible effect. */
  FAIL("failed", FAILED, READY, CLAIMED, PERMITTED),
  /** A requested cancellation is carried out; legal only without any possible effect. */
  CANCEL("canceled", CANCELED, READY, CLAIMED, PERMITTED),
  /** Somebody has to decide; the reason says who. */
  SUSPEND("suspended", SUSPENDED, READY, CLAIMED, PERMITTED);

  private final String event;
  private final WorkState to;

  @SuppressWarnings(
      "ImmutableEnumChecker") // List.of is immutable; the JDK has no type that says so
  private final List<WorkState> from;

  WorkTransition(String event, WorkState to, WorkState... from) {
    this.event = event;
    this.to = to;
    this.from = List.of(from);
  }

  /** Returns the name under which the history keeps it. */
  public String event() {
    return event;
  }

  public WorkState to() {
    return to;
  }

  public List<WorkState> from() {
    return from;
  }

  /** Returns whether it is legal only when every permit of the Work is known to have no effect. */
  public boolean provesNoEffect() {
    return to == FAILED || to == CANCELED;
  }
}
