package dev.handofffence.internal.pump;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the passes over suspended Work of one runtime share: places of their own, since a provider
 * that does not answer must not take those of the executors; and how far each contract has got
 * among the scopes. Thread-safe.
 */
final class Inquiries {

  private static final int PLACES_PER_INQUIRY = 4;

  private final Slots places;
  private final Map<Contract<?, ?>, String> lastScopes = new ConcurrentHashMap<>();

  /**
   * Begins with the first scope.
   *
   * @param concurrency how many executors may run; a quarter of that many reconcilers may
   */
  Inquiries(int concurrency) {
    this.places = new Slots(Math.max(1, concurrency / PLACES_PER_INQUIRY));
  }

  Slots places() {
    return places;
  }

  /** Returns the scope after which to go on; empty for the first. */
  String lastScope(Contract<?, ?> contract) {
    return lastScopes.getOrDefault(contract, "");
  }

  void goneAsFarAs(Contract<?, ?> contract, String scope) {
    lastScopes.put(contract, scope);
  }
}
