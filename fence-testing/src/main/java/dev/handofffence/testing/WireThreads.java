package dev.handofffence.testing;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The threads of a proxy, and the first thing that went wrong in them. */
final class WireThreads {

  /** What a thread does. Broken sockets are its own affair. */
  @FunctionalInterface
  interface Task {
    void run() throws Exception;
  }

  private final Set<Thread> running = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  void start(String name, Task task) {
    Thread thread = new Thread(() -> run(task), name);
    thread.setDaemon(true);
    running.add(thread);
    thread.start();
  }

  private void run(Task task) {
    try {
      task.run();
    } catch (Exception e) {
      failure.compareAndSet(null, e);
    } finally {
      running.remove(Thread.currentThread());
    }
  }

  /** Waits for the threads to end, which somebody must have told them to. */
  void awaitEnd(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      for (Thread thread = any(); thread != null; thread = any()) {
        TimeUnit.NANOSECONDS.timedJoin(thread, deadline - System.nanoTime());
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("Still running after " + patience + ": " + running);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // they are told, and daemons
    }
  }

  private @Nullable Thread any() {
    return running.stream().findAny().orElse(null);
  }

  /** Returns the first failure, once. */
  @Nullable Exception takeFailure() {
    return failure.getAndSet(null);
  }
}
