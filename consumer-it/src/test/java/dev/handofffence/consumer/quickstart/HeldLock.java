package dev.handofffence.consumer.quickstart;

/**
 * A lock that a handoff transaction holds, as another session finds it.
 *
 * @param on what is locked
 * @param mode how, in PostgreSQL's words
 */
record HeldLock(String on, String mode) {}
