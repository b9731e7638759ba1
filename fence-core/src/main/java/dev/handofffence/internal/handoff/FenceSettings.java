package dev.handofffence.internal.handoff;

import java.util.Set;

/**
 * What all fences of one runtime share. Thread-safe.
 *
 * @param endpoints where the caller's transaction may run; empty when any is accepted and the store
 *     id alone decides
 * @param warnings what was already reported
 */
public record FenceSettings(Set<Endpoint> endpoints, FenceWarnings warnings) {
  public FenceSettings {
    endpoints = Set.copyOf(endpoints);
  }

  /** Returns settings that accept every endpoint. */
  public static FenceSettings anyEndpoint() {
    return of(Set.of());
  }

  /** Returns settings that accept these endpoints. */
  public static FenceSettings of(Set<Endpoint> endpoints) {
    return new FenceSettings(endpoints, new FenceWarnings());
  }
}
