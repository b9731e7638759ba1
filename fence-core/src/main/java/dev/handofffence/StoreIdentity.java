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
  public StoreIdentity {
    Objects.requireNonNull(storeId, "storeId");
    Objects.requireNonNull(epoch, "epoch");
  }

  public static StoreIdentity of(UUID storeId, UUID epoch) {
    return new StoreIdentity(storeId, epoch);
  }
}
