package dev.handofffence;

import java.util.Objects;
import java.util.UUID;

/**
 * Which store a runtime belongs to, and the generation of runtimes it was deployed with.
 *
 * @param storeId identity that the first migration gave the database
 * @param epoch the epoch that must be active for the runtime to do anything
 */
public record StoreIdentity(UUID storeId, UUID epoch) {
  /**
   * Checks the values.
   *
   * @param storeId identity that the first migration gave the database
   * @param epoch the epoch that must be active for the runtime to do anything
   */
  public StoreIdentity {
    Objects.requireNonNull(storeId, "storeId");
    Objects.requireNonNull(epoch, "epoch");
  }

  /**
   * {@return the identity of a store and the epoch that must be active}
   *
   * @param storeId identity of the database
   * @param epoch the epoch that must be active
   */
  public static StoreIdentity of(UUID storeId, UUID epoch) {
    return new StoreIdentity(storeId, epoch);
  }
}
