package dev.handofffence.internal.thread;

/** Ends one thread's pause; a ring while nobody waits ends the next pause. Thread-safe. */
public final class Doorbell {

  private boolean rung;

  public synchronized void ring() {
    rung = true;
    notifyAll();
  }

  /** Returns after so long, or when it is rung; says whether it was. */
  public synchronized boolean await(long nanos) {
    long until = System.nanoTime() + nanos;
    long left = nanos;
    while (!rung && left > 0) {
      Threads.await(this, left);
      left = until - System.nanoTime();
    }
    boolean wasRung = rung;
    rung = false;
    return wasRung;
  }
}
