package dev.handofffence.internal.claim;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;

/** A row that discovery returned: perhaps claimable by now. */
public record Candidate(ScopeId scope, WorkId workId, long leaseGeneration) {}
