package dev.handofffence.internal.pump;

import dev.handofffence.internal.thread.Threads;

/** Counts attempts that have not ended, and lets others wait for them. Thread-safe. */
final class InFlight {

  private int running;

  synchronized void started() {
    running++;
  }

  synchronized void ended() {
    running--;
    notifyAll();
  }

  synchronized int count() {
    return running;
  }

  /** Returns when all have ended, or after so long. For a thread that nobody interrupts. */
  synchronized void awaitNone(long nanos) {
    if (running > 0) {
      Threads.await(this, nanos);
    }
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
