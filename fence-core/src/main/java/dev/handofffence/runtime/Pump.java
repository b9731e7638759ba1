package dev.handofffence.runtime;

import dev.handofffence.CancellationToken;

/**
 * Runs accepted Work: discovers, claims, prepares, permits, invokes and completes it (protocol
 * section 4). Thread-safe.
 */
public interface Pump {

  /**
   * Runs one bounded pass and returns when everything it claimed has ended.
   *
   * <p>Refusals and an unavailable store are part of the result, not exceptions.
   *
   * @param pass its bounds
   * @return what the pass did
   */
  PumpResult runOnce(PumpPass pass);

  /**
   * Runs one bounded pass; cancelling the token stops claiming and fires the tokens of the running
   * executors.
   *
   * @param pass its bounds
   * @param cancellation stops claiming and fires the tokens of what runs
   * @return what the pass did
   */
  PumpResult runOnce(PumpPass pass, CancellationToken cancellation);

  /**
   * Asks the registered reconcilers about suspended Work whose outcome is not known, as far as it
   * is due to be asked about, and returns when all have answered. A Work is asked about for the
   * first time when the duration of its lease, and its retry policy's first delay, have passed
   * since it was suspended, and again with the delays of that policy. A worker host does this by
   * itself.
   *
   * <p>Each answer is one transaction, recorded as the command of an operator named {@code
   * reconciler}. Work of an epoch that is no longer active waits to be released first.
   *
   * @param pass its bounds
   * @return what the pass did
   */
  ReconciliationResult reconcile(PumpPass pass);

  /**
   * Asks as {@link #reconcile(PumpPass)}; cancelling the token stops asking and fires the tokens of
   * the reconcilers.
   *
   * @param pass its bounds
   * @param cancellation stops claiming and fires the tokens of what runs
   * @return what the pass did
   */
  ReconciliationResult reconcile(PumpPass pass, CancellationToken cancellation);
}
