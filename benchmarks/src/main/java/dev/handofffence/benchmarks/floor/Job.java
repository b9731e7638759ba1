package dev.handofffence.benchmarks.floor;

/** A claimed row. */
record Job(long id, String payload) {}
