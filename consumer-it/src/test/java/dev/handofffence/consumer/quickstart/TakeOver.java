package dev.handofffence.consumer.quickstart;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A second worker that owns the Work from {@link #begin} on and asks its fence at the end. */
final class TakeOver {

  private static final long PATIENCE_SECONDS = 60;

  private final Worker worker;
  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  private CompletableFuture<Void> run = new CompletableFuture<>();

  TakeOver(Worker worker) {
    this.worker = worker;
  }

  /** Returns when the worker has claimed the Work and stands before its fence. */
  void begin() {
    CompletableFuture<Void> owned = new CompletableFuture<>();
    run =
        CompletableFuture.runAsync(
            () ->
                worker.runOne(
                    work -> {
                      owned.complete(null);
                      mayGoOn.await();
                    }));
    await(CompletableFuture.anyOf(owned, run));
  }

  /** Lets the worker go on, and returns when it is done. */
  void finish() {
    mayGoOn.countDown();
    await(run);
  }

  private static void await(CompletableFuture<?> end) {
    end.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }
}
