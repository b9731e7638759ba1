package dev.handofffence.internal.pump;

import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;

/** A registered definition with the factory of its executors. */
public record Contract<P, R>(
    WorkDefinition<P, R> definition, WorkExecutorFactory<P, R> executors) {}
