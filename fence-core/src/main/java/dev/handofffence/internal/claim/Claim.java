package dev.handofffence.internal.claim;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import java.util.Objects;
import java.util.UUID;

/**
 * One attempt's ownership of a Work. Every write of its holder carries all of it, and the permit of
 * the attempt records all of it (protocol section 2).
 *
 * @param leaseGeneration used once per Work; with scope and work id it is also the key of the
 *     claim's permit
 * @param leaseOwner worker that made the claim
 */
public record Claim(
    ScopeId scope,
    WorkId workId,
    int attempt,
    long leaseGeneration,
    UUID leaseOwner,
    long scopeGeneration,
    UUID epoch) {
  public Claim {
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(workId, "workId");
    Objects.requireNonNull(leaseOwner, "leaseOwner");
    Objects.requireNonNull(epoch, "epoch");
  }
}
