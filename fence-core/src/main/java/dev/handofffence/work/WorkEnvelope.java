package dev.handofffence.work;

import dev.handofffence.ActivityId;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import java.util.Objects;

/**
 * One attempt's view of an accepted Work.
 *
 * @param <P> type of the payload
 * @param scope the tenant
 * @param workId which Work
 * @param activityId identity of the logical effect, the same over all attempts: the provider's
 *     idempotency key
 * @param attempt 1 for the first attempt
 * @param payload the decoded payload
 */
public record WorkEnvelope<P>(
    ScopeId scope, WorkId workId, ActivityId activityId, int attempt, P payload) {
  /**
   * Checks the values.
   *
   * @param scope the tenant
   * @param workId which Work
   * @param activityId identity of the logical effect, the same over all attempts: the provider's
   *     idempotency key
   * @param attempt 1 for the first attempt
   * @param payload the decoded payload
   */
  public WorkEnvelope {
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(workId, "workId");
    Objects.requireNonNull(activityId, "activityId");
    Objects.requireNonNull(payload, "payload");
  }

  /** Returns a text without payload and scope. */
  @Override
  public String toString() {
    return "WorkEnvelope[workId=" + workId + ", attempt=" + attempt + "]";
  }
}
