package dev.handofffence.work;

import dev.handofffence.CancellationToken;

/**
 * Runs one attempt of a Work. Built anew for every attempt by the registered factory.
 *
 * @param <P> type of the payload
 * @param <R> type of the result
 */
@FunctionalInterface
public interface WorkExecutor<P, R> {

  /**
   * Authorises through the fence, commits, then calls the provider.
   *
   * @param cancellation fires on loss of the lease, requested cancellation, deadline and shutdown
   * @param work what is to be done, and as which attempt
   * @return how the attempt ended
   * @throws Exception any exception counts as {@link WorkExit.Ambiguous}
   */
  WorkExit<R> execute(WorkEnvelope<P> work, CancellationToken cancellation) throws Exception;
}
