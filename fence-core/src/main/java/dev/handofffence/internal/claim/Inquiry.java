package dev.handofffence.internal.claim;

import dev.handofffence.ActivityId;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import java.time.Duration;

/**
 * A suspended Work that was taken to ask its provider about.
 *
 * @param attempt the last that was made
 * @param patience how long the reconciler may take before its token fires
 * @param revision what the Work had when it was read; an answer is for this one alone
 */
public record Inquiry(
    ScopeId scope,
    WorkId workId,
    ActivityId activityId,
    String contractName,
    String contractVersion,
    Payload payload,
    int attempt,
    long revision,
    Duration patience) {}
