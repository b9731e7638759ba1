package dev.handofffence.work;

import java.util.Objects;

/**
 * How an executor ended (protocol section 9). An exception instead of an exit means {@link
 * Ambiguous}.
 *
 * <p>Codes are 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -} and are kept in the history; put
 * no personal data in them. A code of another form is sanitised, never refused, since an exception
 * would turn "nothing was sent" into an unknown outcome: each other character becomes {@code _},
 * what is longer is cut, and none at all becomes {@code unspecified}.
 *
 * @param <R> type of the result
 */
public sealed interface WorkExit<R> {

  /**
   * The effect happened, with this result.
   *
   * @param <R> type of the result
   * @param result what the provider answered; kept with the Work
   */
  record Succeeded<R>(R result) implements WorkExit<R> {
    /**
     * Checks the values.
     *
     * @param result what the provider answered; kept with the Work
     */
    public Succeeded {
      Objects.requireNonNull(result, "result");
    }

    /** Returns a text without the result. */
    @Override
    public String toString() {
      return "Succeeded";
    }
  }

  /**
   * Nothing was sent; try again after the retry delay.
   *
   * @param <R> type of the result
   * @param code for the history; sanitised
   */
  record RetryBeforeEffect<R>(String code) implements WorkExit<R> {
    /**
     * Puts the code into its form.
     *
     * @param code for the history; sanitised
     */
    public RetryBeforeEffect {
      code = ExitCodes.sanitised(code);
    }
  }

  /**
   * Nothing was sent and nothing will be; the Work fails.
   *
   * @param <R> type of the result
   * @param code for the history; sanitised
   */
  record FailedWithoutEffect<R>(String code) implements WorkExit<R> {
    /**
     * Puts the code into its form.
     *
     * @param code for the history; sanitised
     */
    public FailedWithoutEffect {
      code = ExitCodes.sanitised(code);
    }
  }

  /**
   * Something may have been sent; the provider safety decides.
   *
   * @param <R> type of the result
   * @param code for the history; sanitised
   */
  record Ambiguous<R>(String code) implements WorkExit<R> {
    /**
     * Puts the code into its form.
     *
     * @param code for the history; sanitised
     */
    public Ambiguous {
      code = ExitCodes.sanitised(code);
    }
  }

  /**
   * {@return that the effect happened}
   *
   * @param <R> type of the result
   * @param result what the provider answered; kept with the Work
   */
  static <R> WorkExit<R> succeeded(R result) {
    return new Succeeded<>(result);
  }

  /**
   * {@return that nothing was sent, and that it is worth another try}
   *
   * @param <R> type of the result
   * @param code for the history; sanitised
   */
  static <R> WorkExit<R> retryBeforeEffect(String code) {
    return new RetryBeforeEffect<>(code);
  }

  /**
   * {@return that nothing was sent, and that it never will be}
   *
   * @param <R> type of the result
   * @param code for the history; sanitised
   */
  static <R> WorkExit<R> failedWithoutEffect(String code) {
    return new FailedWithoutEffect<>(code);
  }

  /**
   * {@return that something may have been sent}
   *
   * @param <R> type of the result
   * @param code for the history; sanitised
   */
  static <R> WorkExit<R> ambiguous(String code) {
    return new Ambiguous<>(code);
  }
}
