package dev.handofffence.internal.claim;

import dev.handofffence.ActivityId;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import java.time.Duration;

/**
 * A claim with what its attempt needs of the acceptance snapshot.
 *
 * @param leaseRemaining how long the lease was good for when the database granted it
 */
public record ClaimedWork(
    Claim claim,
    ActivityId activityId,
    String contractName,
    String contractVersion,
    Payload payload,
    ProviderSafety providerSafety,
    LeasePolicy lease,
    Duration leaseRemaining) {}
