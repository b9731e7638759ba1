package dev.handofffence;

import java.util.Objects;
import java.util.UUID;

/**
 * Identity of the logical effect of a Work, the same over all its attempts; send it to the provider
 * as the idempotency key.
 *
 * @param value the uuid
 */
public record ActivityId(UUID value) {
  /**
   * Checks the values.
   *
   * @param value the uuid
   */
  public ActivityId {
    Objects.requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
