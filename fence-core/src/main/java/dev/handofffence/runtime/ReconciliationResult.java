package dev.handofffence.runtime;

import dev.handofffence.Problem;
import java.util.Objects;
import java.util.Optional;

/**
 * What one pass over suspended Work did.
 *
 * @param asked reconcilers that were called
 * @param applied Works that ended as succeeded, since the effect had happened
 * @param notApplied Works that go on without it: another attempt, or their end
 * @param undecided Works that stay as they are, because the provider could not tell, the reconciler
 *     failed, or its answer was refused
 * @param stoppedBy why the pass stopped early, if it did: DUR103, DUR108, DUR115 or a schema
 *     problem
 */
public record ReconciliationResult(
    int asked, int applied, int notApplied, int undecided, Optional<Problem> stoppedBy) {
  /**
   * Checks the values.
   *
   * @param asked reconcilers that were called
   * @param applied Works that ended as succeeded, since the effect had happened
   * @param notApplied Works that go on without it: another attempt, or their end
   * @param undecided Works that stay as they are, because the provider could not tell, the
   *     reconciler failed, or its answer was refused
   * @param stoppedBy why the pass stopped early, if it did: DUR103, DUR108, DUR115 or a schema
   *     problem
   */
  public ReconciliationResult {
    Objects.requireNonNull(stoppedBy, "stoppedBy");
  }
}
