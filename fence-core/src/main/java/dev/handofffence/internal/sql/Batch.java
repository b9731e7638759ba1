package dev.handofffence.internal.sql;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Claim;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * What one trip is about, in the global order of locks, as parallel arrays. A row's number is its
 * place in the arrays, from 1.
 */
final class Batch<T> {

  static final String SCOPE_IDS = "scope_ids";
  static final String WORK_IDS = "work_ids";
  static final String ATTEMPTS = "attempts";
  static final String LEASE_GENERATIONS = "lease_generations";
  static final String SCOPE_GENERATIONS = "scope_generations";

  private final List<T> values;
  private final Function<T, ScopeId> scope;
  private final Function<T, WorkId> work;
  private final Binds binds;

  private Batch(
      Collection<? extends T> values, Function<T, ScopeId> scope, Function<T, WorkId> work) {
    this.scope = scope;
    this.work = work;
    this.values = List.copyOf(values.stream().sorted(order()).toList());
    this.binds =
        new Binds()
            .set(SCOPE_IDS, array(v -> scope.apply(v).value(), new String[0]))
            .set(WORK_IDS, array(v -> work.apply(v).value(), new UUID[0]));
  }

  /** Returns a batch of what names its Work. */
  static <T> Batch<T> of(
      Collection<? extends T> values, Function<T, ScopeId> scope, Function<T, WorkId> work) {
    return new Batch<>(values, scope, work);
  }

  /** Returns a batch of what has a claim; all are of one owner. */
  static <T> Batch<T> ofClaims(Collection<? extends T> values, Function<T, Claim> claim) {
    Batch<T> batch = new Batch<>(values, v -> claim.apply(v).scope(), v -> claim.apply(v).workId());
    batch
        .binds
        .set(ClaimKeys.OWNER, claim.apply(batch.values.get(0)).leaseOwner())
        .set(ATTEMPTS, batch.array(v -> claim.apply(v).attempt(), new Integer[0]))
        .set(LEASE_GENERATIONS, batch.array(v -> claim.apply(v).leaseGeneration(), new Long[0]))
        .set(SCOPE_GENERATIONS, batch.array(v -> claim.apply(v).scopeGeneration(), new Long[0]));
    return batch;
  }

  List<T> values() {
    return values;
  }

  /** Returns the value that a row of an answer is about. */
  T numbered(int number) {
    return values.get(number - 1);
  }

  <P> P[] array(Function<T, P> part, P[] type) {
    return values.stream().map(part).toList().toArray(type);
  }

  String[] scopes() {
    return values.stream().map(v -> scope.apply(v).value()).distinct().toArray(String[]::new);
  }

  Binds binds() {
    return new Binds().setAll(binds);
  }

  /** UUIDs as the server compares them: by their bytes, without a sign. */
  private Comparator<T> order() {
    return Comparator.<T, String>comparing(v -> scope.apply(v).value())
        .thenComparing(v -> work.apply(v).value().toString());
  }
}
