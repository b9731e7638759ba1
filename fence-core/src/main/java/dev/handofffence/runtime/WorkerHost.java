package dev.handofffence.runtime;

import java.time.Duration;

/**
 * Runs passes of the pump until it is stopped: fast while there is Work, more and more slowly while
 * there is none (protocol section 4). It survives every loss of the database and comes back by
 * itself; its logs and its health say what is wrong meanwhile. Thread-safe.
 *
 * <p>All waits of its methods are bounded. An interrupt does not shorten them; it is kept for the
 * caller.
 */
public interface WorkerHost extends AutoCloseable {

  /** {@return how the host is} Asks nobody and does not block. */
  HostHealth health();

  /**
   * Stops claiming, lets the running attempts end, and then stops. Idempotent.
   *
   * <p>When patience is over the host goes on draining, and may be asked again.
   *
   * @param patience how long to wait for the end
   * @return whether the host has stopped
   */
  boolean drain(Duration patience);

  /**
   * Stops claiming, fires the tokens of the running attempts, and then stops. Idempotent.
   *
   * <p>An attempt that has not ended when patience is over is abandoned: its lease is renewed no
   * longer and its report is not recorded, so that recovery decides about its Work.
   *
   * @param patience how long the attempts have
   * @return whether all attempts have ended and the host has stopped
   */
  boolean stopNow(Duration patience);

  /**
   * Drains, and when that takes longer than {@link HostOptions#drainTimeout()}, stops now within
   * {@link HostOptions#stopTimeout()}. Idempotent.
   */
  @Override
  void close();
}
