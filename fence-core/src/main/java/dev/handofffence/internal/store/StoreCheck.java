package dev.handofffence.internal.store;

import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Judges the store row in the order of protocol section 7, numbers 2 to 4. */
public final class StoreCheck {

  /** The schema version that this library was written for: it needs at least this one. */
  public static final int SCHEMA_VERSION = 1;

  private StoreCheck() {}

  /** Returns the first problem of a store for this identity; empty when it may be used. */
  public static Optional<Problem> problem(@Nullable StoreRow store, StoreIdentity expected) {
    if (store == null) {
      return Optional.of(Problem.SCHEMA_INCONSISTENT);
    }
    return schemaProblem(store)
        .or(() -> when(!store.storeId().equals(expected.storeId()), Problem.STORE_MISMATCH))
        .or(() -> when(!expected.epoch().equals(store.activeEpoch()), Problem.EPOCH_MISMATCH));
  }

  /**
   * Returns when the store may be used.
   *
   * @throws UnusableStoreException with the first problem
   */
  public static void require(@Nullable StoreRow store, StoreIdentity expected) {
    problem(store, expected)
        .ifPresent(
            problem -> {
              throw new UnusableStoreException(problem);
            });
  }

  /** Returns the first problem of the schema alone. */
  public static Optional<Problem> schemaProblem(StoreRow store) {
    return when(store.schemaVersion() < SCHEMA_VERSION, Problem.SCHEMA_TOO_OLD)
        .or(() -> when(store.oldestWriter() > SCHEMA_VERSION, Problem.SCHEMA_TOO_NEW))
        .or(
            () ->
                when(
                    store.oldestReader() > store.oldestWriter()
                        || store.oldestWriter() > store.schemaVersion(),
                    Problem.SCHEMA_INCONSISTENT));
  }

  private static Optional<Problem> when(boolean applies, Problem problem) {
    return applies ? Optional.of(problem) : Optional.empty();
  }
}
