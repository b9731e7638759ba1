package dev.handofffence.work;

import dev.handofffence.ActivityId;
import dev.handofffence.WorkId;
import java.util.Objects;

/**
 * The ids of an accepted Work.
 *
 * @param workId which Work
 * @param activityId the idempotency key that the provider gets
 * @param duplicate whether the same command had been accepted before; the ids are the original ones
 *     then
 */
public record AcceptedWork(WorkId workId, ActivityId activityId, boolean duplicate) {
  /**
   * Checks the values.
   *
   * @param workId which Work
   * @param activityId the idempotency key that the provider gets
   * @param duplicate whether the same command had been accepted before; the ids are the original
   *     ones then
   */
  public AcceptedWork {
    Objects.requireNonNull(workId, "workId");
    Objects.requireNonNull(activityId, "activityId");
  }
}
