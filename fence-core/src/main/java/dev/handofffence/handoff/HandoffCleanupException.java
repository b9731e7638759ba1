package dev.handofffence.handoff;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The fence could not bring the transaction back to a known state: the callback ended it, or the
 * cleanup failed.
 *
 * <p>Nothing is claimed about the callback's writes. Roll back, close the connection and do not
 * call the provider.
 */
public final class HandoffCleanupException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * Makes one; the library does.
   *
   * @param message a fixed text, without SQL or text of the server
   * @param cause the failure behind it, if there is one
   */
  public HandoffCleanupException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
