package dev.handofffence.internal.thread;

import java.util.concurrent.Executor;

/**
 * Delivers cancel requests: each on a daemon thread of its own, because whoever cancels a token
 * must not wait for a database, and cancels are rare.
 */
public enum CancelCourier implements Executor {
  INSTANCE;

  @Override
  public void execute(Runnable delivery) {
    Thread courier = new Thread(delivery, "durable-cancel");
    courier.setDaemon(true);
    courier.start();
  }
}
