package dev.handofffence.internal.pump;

import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkReconciler;
import org.jspecify.annotations.Nullable;

/**
 * A registered definition with the factory of its executors.
 *
 * @param reconciler null when only operators decide about unknown outcomes
 */
public record Contract<P, R>(
    WorkDefinition<P, R> definition,
    WorkExecutorFactory<P, R> executors,
    @Nullable WorkReconciler<P, R> reconciler) {}
