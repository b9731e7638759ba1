package dev.handofffence.handoff;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The callback broke a rule of the handoff: it swallowed an SQL error, or changed the scope, role
 * or another setting of the session.
 *
 * <p>Its writes and its change of settings were rolled back; the transaction is usable and nothing
 * was prepared.
 */
public final class HandoffViolationException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * Makes one; the library does.
   *
   * @param message a fixed text, without SQL or text of the server
   * @param cause the failure behind it, if there is one
   */
  public HandoffViolationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
