package dev.handofffence.work;

/**
 * Builds the executor of one attempt, before the attempt's permit and without a transaction; must
 * have no effect of its own. An exception suspends the Work as contract unavailable.
 */
@FunctionalInterface
public interface WorkExecutorFactory<P, R> {

  WorkExecutor<P, R> create(WorkInvocation invocation) throws Exception;
}
