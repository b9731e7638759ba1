package dev.handofffence.runtime;

import dev.handofffence.Problem;
import java.util.Objects;
import java.util.Optional;

/**
 * What one pass did.
 *
 * @param discovered rows that discovery returned
 * @param claimed attempts that this pass owned
 * @param invoked executors that ran
 * @param succeeded Works that ended as succeeded
 * @param retried Works that wait for another attempt
 * @param suspended Works that wait for a decision
 * @param ended Works that ended as failed or canceled
 * @param quarantined late results that were kept out of their Work
 * @param stoppedBy why the pass stopped early, if it did: DUR103, DUR108, DUR115 or a schema
 *     problem
 */
public record PumpResult(
    int discovered,
    int claimed,
    int invoked,
    int succeeded,
    int retried,
    int suspended,
    int ended,
    int quarantined,
    Optional<Problem> stoppedBy) {
  /**
   * Checks the values.
   *
   * @param discovered rows that discovery returned
   * @param claimed attempts that this pass owned
   * @param invoked executors that ran
   * @param succeeded Works that ended as succeeded
   * @param retried Works that wait for another attempt
   * @param suspended Works that wait for a decision
   * @param ended Works that ended as failed or canceled
   * @param quarantined late results that were kept out of their Work
   * @param stoppedBy why the pass stopped early, if it did: DUR103, DUR108, DUR115 or a schema
   *     problem
   */
  public PumpResult {
    Objects.requireNonNull(stoppedBy, "stoppedBy");
  }
}
