package dev.handofffence.work;

import java.util.Objects;

/**
 * How an executor ended (protocol section 9). An exception instead of an exit means {@link
 * Ambiguous}.
 *
 * <p>Codes are 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -} and are kept in the history; put
 * no personal data in them.
 *
 * @param <R> type of the result
 */
public sealed interface WorkExit<R> {

  /** The effect happened, with this result. */
  record Succeeded<R>(R result) implements WorkExit<R> {
    public Succeeded {
      Objects.requireNonNull(result, "result");
    }

    /** Returns a text without the result. */
    @Override
    public String toString() {
      return "Succeeded";
    }
  }

  /** Nothing was sent; try again after the retry delay. */
  record RetryBeforeEffect<R>(String code) implements WorkExit<R> {
    public RetryBeforeEffect {
      ExitCodes.check(code);
    }
  }

  /** Nothing was sent and nothing will be; the Work fails. */
  record FailedWithoutEffect<R>(String code) implements WorkExit<R> {
    public FailedWithoutEffect {
      ExitCodes.check(code);
    }
  }

  /** Something may have been sent; the provider safety decides. */
  record Ambiguous<R>(String code) implements WorkExit<R> {
    public Ambiguous {
      ExitCodes.check(code);
    }
  }

  static <R> WorkExit<R> succeeded(R result) {
    return new Succeeded<>(result);
  }

  static <R> WorkExit<R> retryBeforeEffect(String code) {
    return new RetryBeforeEffect<>(code);
  }

  static <R> WorkExit<R> failedWithoutEffect(String code) {
    return new FailedWithoutEffect<>(code);
  }

  static <R> WorkExit<R> ambiguous(String code) {
    return new Ambiguous<>(code);
  }
}
