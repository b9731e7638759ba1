package dev.handofffence.testing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What happens, once, to the first connection that comes to a {@link WirePoint}: it stops there
 * until it is decided whether it goes on or is cut. Thread-safe.
 */
public final class WireFault implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final WirePoint point;
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CompletableFuture<Boolean> goesOn = new CompletableFuture<>();

  WireFault(WirePoint point) {
    this.point = point;
  }

  WirePoint point() {
    return point;
  }

  /** Stops the connection that has come to the point; returns whether it then goes on. */
  boolean decide() {
    reached.countDown();
    return goesOn.join();
  }

  /**
   * Returns whether a connection has come to the point.
   *
   * @return whether it has
   */
  public boolean isReached() {
    return reached.getCount() == 0;
  }

  /**
   * Waits until a connection has come to the point.
   *
   * @throws IllegalStateException if none came for half a minute, or the thread was interrupted
   */
  public void awaitReached() {
    try {
      if (!reached.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("No connection came to the point " + point);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for the point " + point, e);
    }
  }

  /** Lets the connection go on, or pass if it comes later. The first decision stands. */
  public void release() {
    goesOn.complete(true);
  }

  /** Resets the connection on both sides, at once or when it comes. The first decision stands. */
  public void cut() {
    goesOn.complete(false);
  }

  /** Does what {@link #release()} does, so that a failed test leaves nobody waiting. */
  @Override
  public void close() {
    release();
  }
}
