package dev.handofffence;

import java.util.concurrent.CancellationException;

/**
 * Tells running work that it should stop. Read-only side of a {@link CancellationSource}.
 * Thread-safe; a cancelled token stays so.
 */
public sealed interface CancellationToken permits CancellationSource.Token, NeverCancelled {

  /** {@return a token that is never cancelled} */
  static CancellationToken none() {
    return NeverCancelled.INSTANCE;
  }

  /** {@return whether it is cancelled; once true, always true} */
  boolean isCancelled();

  /**
   * Runs the action once when the token is cancelled: on the cancelling thread, or at once on this
   * one when it already is.
   *
   * <p>The action must be short and must not throw; what it throws reaches the canceller after all
   * other actions ran.
   *
   * @param action runs once, on the thread that cancels, or at once when it is too late
   * @return closes the registration; when close returns, the action has either ended or will never
   *     start, unless it is called from the action itself
   */
  Registration onCancel(Runnable action);

  /**
   * Throws when the token is cancelled.
   *
   * @throws CancellationException when {@link #isCancelled()}
   */
  default void throwIfCancelled() {
    if (isCancelled()) {
      throw new CancellationException("The operation was cancelled by its token");
    }
  }

  /** A registered action. Closing it is idempotent. */
  @FunctionalInterface
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }
}
