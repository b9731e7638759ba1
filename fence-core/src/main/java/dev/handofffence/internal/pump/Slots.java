package dev.handofffence.internal.pump;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The places for running executors of one runtime. No more effects are permitted than are free. */
final class Slots {

  private static final long LOOK_MILLIS = 20;

  private final Semaphore places;

  Slots(int places) {
    this.places = new Semaphore(places);
  }

  /**
   * Takes up to so many places, and waits until there is at least one.
   *
   * @param goOn looked at while waiting
   * @return what was taken; nothing when waiting was given up
   */
  Taken take(int most, BooleanSupplier goOn) {
    while (goOn.getAsBoolean()) {
      if (awaitOne()) {
        return new Taken(1 + takeFree(most - 1));
      }
    }
    return new Taken(0);
  }

  /**
   * Places that one round owns until an attempt starts on them; each attempt owns its place from
   * then on, and gives it back itself, whatever becomes of the round. For one thread.
   */
  final class Taken implements AutoCloseable {

    private int owned;

    private Taken(int owned) {
      this.owned = owned;
    }

    int owned() {
      return owned;
    }

    /** Leaves one place to an attempt. */
    void leaveOne() {
      owned--;
    }

    /** Gives back what no attempt has got. */
    @Override
    public void close() {
      giveBack(owned);
      owned = 0;
    }
  }

  void giveBack(int taken) {
    places.release(taken);
  }

  private int takeFree(int most) {
    int taken = 0;
    while (taken < most && places.tryAcquire()) {
      taken++;
    }
    return taken;
  }

  /** An interrupt of the caller ends the pass's waiting no sooner; it is kept for later. */
  private boolean awaitOne() {
    try {
      return places.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      boolean taken = places.tryAcquire();
      Thread.currentThread().interrupt();
      return taken;
    }
  }
}
