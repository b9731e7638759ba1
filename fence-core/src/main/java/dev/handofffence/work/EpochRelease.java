package dev.handofffence.work;

/**
 * What one batch of a release after an epoch rotation did.
 *
 * @param released how many Works belong to the active epoch now, suspended ones included that wait
 *     for a decision about an unknown outcome
 * @param more whether the scope has, or may have, more of them: repeat with another command id
 * @param repeated whether the same command had been carried out before; the rest is its outcome
 *     then
 */
public record EpochRelease(long released, boolean more, boolean repeated) {}
