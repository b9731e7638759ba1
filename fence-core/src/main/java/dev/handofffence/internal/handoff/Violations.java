package dev.handofffence.internal.handoff;

import dev.handofffence.handoff.HandoffViolationException;
import dev.handofffence.internal.sql.HandoffSession;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a callback must not have changed when it returns. */
final class Violations {

  private static final String CONSEQUENCE =
      "; its writes were rolled back and nothing was prepared";

  private Violations() {}

  static HandoffViolationException swallowedError(Throwable cause) {
    return violation("swallowed an SQL error", cause);
  }

  static HandoffViolationException changedRole(@Nullable Throwable cause) {
    return violation("changed the session's role", cause);
  }

  /**
   * Compares the session at the entry with that after the callback.
   *
   * @param scope the scope that the fence had set
   * @param mark the marker that the fence had set
   */
  static Optional<HandoffViolationException> of(
      HandoffSession before, HandoffSession after, String scope, String mark) {
    if (!after.scope().equals(scope)) {
      return Optional.of(violation("changed the setting durable.scope_id", null));
    }
    if (!after.user().equals(before.user()) || !after.sessionUser().equals(before.sessionUser())) {
      return Optional.of(changedRole(null));
    }
    if (!after.searchPath().equals(before.searchPath())) {
      return Optional.of(violation("changed the session's search_path", null));
    }
    if (!after.isReadCommittedReadWrite()) {
      return Optional.of(violation("changed the transaction's isolation or access mode", null));
    }
    return after.isInsideCallback(mark)
        ? Optional.empty()
        : Optional.of(violation("rolled back to a savepoint of the fence", null));
  }

  private static HandoffViolationException violation(String what, @Nullable Throwable cause) {
    return new HandoffViolationException("The callback " + what + CONSEQUENCE, cause);
  }
}
