package dev.handofffence.work;

import java.util.List;
import java.util.Objects;

/**
 * One Work with what led to its state.
 *
 * @param work how it stands
 * @param permits the last hundred, oldest first
 * @param history the last hundred entries, oldest first
 */
public record WorkDetails(WorkView work, List<PermitView> permits, List<WorkHistoryEntry> history) {

  /**
   * Checks the values.
   *
   * @param work how it stands
   * @param permits the last hundred, oldest first
   * @param history the last hundred entries, oldest first
   */
  public WorkDetails {
    Objects.requireNonNull(work, "work");
    permits = List.copyOf(permits);
    history = List.copyOf(history);
  }
}
