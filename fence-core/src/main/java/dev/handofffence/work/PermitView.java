package dev.handofffence.work;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One permit: an attempt that was allowed to reach the provider. Times are the database's.
 *
 * @param settledAt when the state was last decided; empty while the attempt runs
 */
public record PermitView(
    int attempt,
    long leaseGeneration,
    PermitState state,
    Instant grantedAt,
    Optional<Instant> settledAt) {

  public PermitView {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(grantedAt, "grantedAt");
    Objects.requireNonNull(settledAt, "settledAt");
  }
}
