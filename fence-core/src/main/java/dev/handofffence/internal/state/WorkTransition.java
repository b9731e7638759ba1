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
 * Every way from one state to another, of the executor first and then of commands. The SQL inlines
 * the states from here, and the history keeps the event.
 */
public enum WorkTransition {
  /** An attempt takes a Work that is due, or whose lease has expired. */
  CLAIM("claimed", CLAIMED, READY, CLAIMED, PERMITTED),
  /** The attempt may have its effect; the permit commits with it, and only once per claim. */
  PERMIT("permitted", PERMITTED, CLAIMED),
  /** An attempt that has found no place gives the Work back before any permit. */
  HAND_BACK("handed_back", READY, CLAIMED),
  /** The effect happened. */
  SUCCEED("succeeded", SUCCEEDED, PERMITTED),
  /** Another attempt follows after the retry delay. */
  RETRY("retry_scheduled", READY, PERMITTED),
  /** No attempt is left, or the executor gave up; legal only without any possible effect. */
  FAIL("failed", FAILED, READY, CLAIMED, PERMITTED),
  /** A requested cancellation is carried out; legal only without any possible effect. */
  CANCEL("canceled", CANCELED, READY, CLAIMED, PERMITTED),
  /** Somebody has to decide; the reason says who. */
  SUSPEND("suspended", SUSPENDED, READY, CLAIMED, PERMITTED),

  /** A command cancels it before any possible effect. */
  CANCEL_BY_COMMAND("canceled_by_command", CANCELED, READY, CLAIMED, SUSPENDED),
  /**
   * A command would like to cancel it, and an effect is possible: no attempt follows until that is
   * decided. Where the state stays, the request is recorded under the same event.
   */
  SUSPEND_BY_COMMAND("cancel_requested", SUSPENDED, READY, CLAIMED),
  /** Evidence says that the effect happened. */
  SUCCEED_BY_PROOF("proven_applied", SUCCEEDED, SUSPENDED),
  /** Evidence says that there was no effect, and another attempt follows. */
  RETRY_BY_PROOF("proven_not_applied", READY, SUSPENDED),
  /** Evidence says that there was no effect, and no attempt is left. */
  FAIL_BY_PROOF("failed_by_proof", FAILED, SUSPENDED),
  /** Evidence says that there was no effect, and the next step needs another command. */
  KEEP_BY_PROOF("suspended_without_effect", SUSPENDED, SUSPENDED),
  /** An operator wants another attempt. */
  RETRY_BY_COMMAND("retried_by_command", READY, SUSPENDED),
  /** What held it up is gone: the epoch is the active one, or the contract is there. */
  RELEASE("released", READY, SUSPENDED),
  /** What held it up is gone, and what an earlier attempt did is still to be decided. */
  RELEASE_TO_DECISION("released_to_decision", SUSPENDED, SUSPENDED),
  /** Its scope is disabled for good. */
  DISABLE("scope_disabled", SUSPENDED, READY, CLAIMED, PERMITTED);

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
