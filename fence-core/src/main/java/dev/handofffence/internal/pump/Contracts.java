package dev.handofffence.internal.pump;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The contracts that a runtime can run. Immutable. */
public final class Contracts {

  private final Map<Key, Contract<?, ?>> byKey;
  private final List<Key> keys;
  private final List<Contract<?, ?>> reconciled;

  /** Keeps the contracts; the caller has made sure that no two have one name and version. */
  public Contracts(Collection<Contract<?, ?>> registered) {
    Map<Key, Contract<?, ?>> contracts = new HashMap<>();
    registered.forEach(c -> contracts.put(keyOf(c), c));
    this.byKey = Map.copyOf(contracts);
    this.keys = List.copyOf(byKey.keySet());
    this.reconciled =
        registered.stream()
            .<Contract<?, ?>>map(c -> c)
            .filter(c -> c.reconciler() != null)
            .toList();
  }

  /** Returns the contract with this name and version; null when it was not registered. */
  @Nullable Contract<?, ?> find(String name, String version) {
    return byKey.get(new Key(name, version));
  }

  /** Returns all names, parallel to {@link #versions}. */
  List<String> names() {
    return keys.stream().map(Key::name).toList();
  }

  List<String> versions() {
    return keys.stream().map(Key::version).toList();
  }

  boolean hasReconcilers() {
    return !reconciled.isEmpty();
  }

  /** Returns those with a reconciler. */
  List<Contract<?, ?>> reconciled() {
    return reconciled;
  }

  private static Key keyOf(Contract<?, ?> contract) {
    return new Key(contract.definition().name(), contract.definition().version());
  }

  private record Key(String name, String version) {}
}
