package dev.handofffence.internal.sql;

import org.jspecify.annotations.Nullable;

/**
 * What the callback left behind.
 *
 * @param session as it was when the callback returned
 * @param times null when the callback left a session in which the Work cannot be seen
 */
public record HandoffExit(HandoffSession session, HandoffFacts.@Nullable Times times) {}
