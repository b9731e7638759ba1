package dev.handofffence.internal.handoff;

import dev.handofffence.handoff.HandoffCleanupException;
import dev.handofffence.internal.sql.SqlFailure;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** The exceptions of the fence: fixed texts and SQLSTATE; server texts stay in the causes. */
final class FenceErrors {

  private FenceErrors() {}

  static DataAccessException statementFailed(SQLException cause) {
    return SqlFailure.ofAny("A statement of the handoff fence", cause);
  }

  static CancellationException cancelled(@Nullable Throwable suppressed) {
    CancellationException e =
        new CancellationException("The handoff was cancelled by its token and left no trace");
    if (suppressed != null) {
      e.addSuppressed(suppressed);
    }
    return e;
  }

  static HandoffCleanupException unknownState(String what, @Nullable Throwable cause) {
    return new HandoffCleanupException(
        what + ". Roll back, close the connection and do not call the provider", cause);
  }
}
