package dev.handofffence.work;

/**
 * What disabling a scope did.
 *
 * @param generation of the scope after it
 * @param suspended how many Works were runnable or owned, and are suspended now
 * @param repeated whether the same command had been carried out before; the rest is its outcome
 *     then
 */
public record DisabledScope(long generation, long suspended, boolean repeated) {}
