package dev.handofffence.internal.thread;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Starts the threads of the runtime. All are daemons: none keeps a finished program alive. */
public final class Threads {

  private static final long IDLE_SECONDS = 10;

  private Threads() {}

  /** Starts one thread of the pump's own, a platform thread: it must run when others are busy. */
  public static Thread start(String name, Runnable task) {
    Thread thread = new Thread(task, "handoff-fence-" + name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /**
   * Returns where application executors run: virtual threads where the JDK has them, otherwise
   * platform threads, which end when idle. Starts none yet; how many there are is the caller's
   * business.
   */
  public static Executor forExecutors() {
    try {
      // The library is compiled for JDK 17, which cannot name the method.
      return (ExecutorService)
          MethodHandles.publicLookup()
              .findStatic(
                  Executors.class,
                  "newVirtualThreadPerTaskExecutor",
                  MethodType.methodType(ExecutorService.class))
              .invokeExact();
    } catch (NoSuchMethodException e) {
      return pool("executor");
    } catch (Throwable e) {
      throw new IllegalStateException("The JDK has virtual threads but refused one", e);
    }
  }

  /** Returns a pool of platform threads that end when idle. */
  public static Executor pool(String name) {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        named(name));
  }

  /**
   * Waits on a monitor that the caller holds, a millisecond at least. For the threads started here:
   * nobody interrupts them, so an interrupt only ends the wait.
   */
  public static void await(Object monitor, long nanos) {
    try {
      TimeUnit.NANOSECONDS.timedWait(monitor, Math.max(1_000_000, nanos));
    } catch (InterruptedException e) {
      // The caller's loop looks at its state again.
    }
  }

  /** Lets others go on for a moment; an interrupt ends it and is kept. */
  public static void pause(Duration pause) {
    LockSupport.parkNanos(pause.toNanos());
  }

  /** Waits for a latch, but no longer than this; keeps an interrupt of the caller for later. */
  public static boolean await(CountDownLatch latch, Duration most) {
    long until = System.nanoTime() + most.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return latch.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits until a thread has ended; keeps an interrupt of the caller for later. */
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static ThreadFactory named(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, "handoff-fence-" + name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
