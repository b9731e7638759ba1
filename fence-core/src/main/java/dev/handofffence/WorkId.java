package dev.handofffence;

import java.util.Objects;
import java.util.UUID;

/**
 * Identity of one accepted Work, made by the library; time-ordered.
 *
 * @param value the uuid
 */
public record WorkId(UUID value) {
  /**
   * Checks the values.
   *
   * @param value the uuid
   */
  public WorkId {
    Objects.requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
