package dev.handofffence.work;

import dev.handofffence.CancellationToken;

/**
 * Asks a provider what became of the effect of a Work whose outcome is not known (protocol section
 * 9). Registered with its contract; the pump calls it for suspended Work, again and again with
 * growing pauses, until it knows.
 *
 * <p>Must be free of effects: it may be called at any time, more than once, also by two workers at
 * a time. Runs without a transaction and without a fence.
 *
 * @param <P> type of the payload
 * @param <R> type of the result
 */
@FunctionalInterface
public interface WorkReconciler<P, R> {

  /**
   * Asks by the activity id, which all attempts gave the provider.
   *
   * @param work the Work; its attempt is the last one that was made
   * @param cancellation fires when the worker stops; what is answered after that still counts
   * @return what is known; the answer is dropped when somebody else has decided meanwhile
   * @throws Exception anything that made it impossible to ask, which changes nothing: it is asked
   *     again later
   */
  Reconciliation<R> reconcile(WorkEnvelope<P> work, CancellationToken cancellation)
      throws Exception;
}
