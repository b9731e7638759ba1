package dev.handofffence.work;

import java.util.Objects;
import java.util.Optional;

/**
 * What a provider says about the effect of one activity id.
 *
 * @param <R> type of the result
 */
public sealed interface Reconciliation<R> {

  /**
   * The effect happened; its result is not known.
   *
   * @param <R> type of the result
   * @return the answer
   */
  static <R> Reconciliation<R> applied() {
    return new Applied<>(Optional.empty());
  }

  /**
   * The effect happened, with this result.
   *
   * @param <R> type of the result
   * @param result what the provider answered
   * @return the answer
   */
  static <R> Reconciliation<R> applied(R result) {
    return new Applied<>(Optional.of(result));
  }

  /**
   * The effect did not happen, and no attempt made so far can still bring it about: a provider that
   * might yet work off a request that it has received has not decided.
   *
   * @param <R> type of the result
   * @return the answer
   */
  static <R> Reconciliation<R> notApplied() {
    return new NotApplied<>();
  }

  /**
   * The provider cannot tell yet; it is asked again later.
   *
   * @param <R> type of the result
   * @return the answer
   */
  static <R> Reconciliation<R> undecided() {
    return new Undecided<>();
  }

  /**
   * The Work succeeds.
   *
   * @param <R> type of the result
   * @param result the effect's result, if the provider told it
   */
  record Applied<R>(Optional<R> result) implements Reconciliation<R> {
    /**
     * Checks the values.
     *
     * @param result the effect's result, if the provider told it
     */
    public Applied {
      Objects.requireNonNull(result, "result");
    }

    /** Returns a text without the result. */
    @Override
    public String toString() {
      return "Applied";
    }
  }

  /**
   * The Work is tried again, or fails when its attempts are used up.
   *
   * @param <R> type of the result
   */
  record NotApplied<R>() implements Reconciliation<R> {}

  /**
   * Nothing changes.
   *
   * @param <R> type of the result
   */
  record Undecided<R>() implements Reconciliation<R> {}
}
