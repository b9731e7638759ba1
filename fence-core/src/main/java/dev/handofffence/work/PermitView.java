package dev.handofffence.work;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One permit: an attempt that was allowed to reach the provider. Times are the database's.
 *
 * @param attempt number of the attempt that it was given to
 * @param leaseGeneration of the claim that it was given to
 * @param state what is known about the effect
 * @param grantedAt when it was committed
 * @param settledAt when the state was last decided; empty while the attempt runs
 */
public record PermitView(
    int attempt,
    long leaseGeneration,
    PermitState state,
    Instant grantedAt,
    Optional<Instant> settledAt) {

  /**
   * Checks the values.
   *
   * @param attempt number of the attempt that it was given to
   * @param leaseGeneration of the claim that it was given to
   * @param state what is known about the effect
   * @param grantedAt when it was committed
   * @param settledAt when the state was last decided; empty while the attempt runs
   */
  public PermitView {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(grantedAt, "grantedAt");
    Objects.requireNonNull(settledAt, "settledAt");
  }
}
