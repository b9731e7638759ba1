package dev.handofffence.work;

import java.util.Objects;

/**
 * What a command about one Work did.
 *
 * @param change what became of the Work
 * @param revision revision of the Work after it
 * @param repeated whether the same command had been carried out before; the rest is its outcome
 *     then, and the Work may have moved on since
 */
public record CommandOutcome(Change change, long revision, boolean repeated) {

  /**
   * Checks the values.
   *
   * @param change what became of the Work
   * @param revision revision of the Work after it
   * @param repeated whether the same command had been carried out before; the rest is its outcome
   *     then, and the Work may have moved on since
   */
  public CommandOutcome {
    Objects.requireNonNull(change, "change");
  }

  /** What became of the Work. */
  public enum Change {
    /** It is canceled: no permit of it can have had an effect. */
    CANCELED,
    /**
     * An effect may have been permitted: the request is recorded, a running executor's token fires,
     * and the Work ends as its provider safety allows.
     */
    CANCELLATION_REQUESTED,
    /** It succeeded, by the evidence that was given. */
    SUCCEEDED,
    /** Another attempt follows. */
    RETRIED,
    /** Nothing was sent, and no attempt is left. */
    FAILED,
    /** What held it up is gone: it is runnable again. */
    RELEASED,
    /** It stays suspended, with what the command said recorded: the next decision is open. */
    STILL_SUSPENDED
  }
}
