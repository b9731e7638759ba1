package dev.handofffence.internal.pump;

/** Counts the attempts of a pass that have not ended, and lets the pass wait for them. */
final class InFlight {

  private int running;

  synchronized void started() {
    running++;
  }

  synchronized void ended() {
    running--;
    notifyAll();
  }

  /** Returns when all have ended; keeps an interrupt of the caller for later. */
  synchronized void awaitNone() {
    boolean interrupted = false;
    while (running > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
