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
   */
  PumpResult runOnce(PumpPass pass);

  /**
   * Runs one bounded pass; cancelling the token stops claiming and fires the tokens of the running
   * executors.
   */
  PumpResult runOnce(PumpPass pass, CancellationToken cancellation);
}
