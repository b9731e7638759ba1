package dev.handofffence.work;

/**
 * Builds the executor of one attempt, before the attempt's permit and without a transaction; must
 * have no effect of its own. An exception suspends the Work as contract unavailable.
 *
 * @param <P> type of the payload
 * @param <R> type of the result
 */
@FunctionalInterface
public interface WorkExecutorFactory<P, R> {

  /**
   * {@return the executor of one attempt}
   *
   * @param invocation the attempt's fence, and the way to make sure of its commit
   * @throws Exception to suspend the Work as contract unavailable
   */
  WorkExecutor<P, R> create(WorkInvocation invocation) throws Exception;
}
