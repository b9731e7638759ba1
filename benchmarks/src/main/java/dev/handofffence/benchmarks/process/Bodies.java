package dev.handofffence.benchmarks.process;

import dev.handofffence.benchmarks.contender.JobBody;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Counts the jobs that run; for pick-up it also keeps how long they waited. */
final class Bodies implements JobBody {

  static final int PAYLOAD_BYTES = 100;

  private static final int STAMP_DIGITS = 20;
  private static final long POLL_NANOS = 500_000;

  private final AtomicLong count = new AtomicLong();
  private final AtomicLong firstNanos = new AtomicLong();
  private final Queue<Long> latencies = new ConcurrentLinkedQueue<>();
  private volatile boolean keepLatencies;

  /** Returns a payload of {@link #PAYLOAD_BYTES} that says when it was made. */
  static String payload() {
    String stamp = ("0".repeat(STAMP_DIGITS) + System.nanoTime());
    String tail = "x".repeat(PAYLOAD_BYTES - STAMP_DIGITS);
    return stamp.substring(stamp.length() - STAMP_DIGITS) + tail;
  }

  @Override
  public void run(String payload) {
    long now = System.nanoTime();
    if (keepLatencies) {
      latencies.add(now - Long.parseLong(payload.substring(0, STAMP_DIGITS)));
    }
    if (count.getAndIncrement() == 0) {
      firstNanos.set(now);
    }
  }

  void keepLatencies() {
    keepLatencies = true;
  }

  long count() {
    return count.get();
  }

  long firstNanos() {
    return firstNanos.get();
  }

  List<Long> latencies() {
    return List.copyOf(latencies);
  }

  /** Waits until so many have run, and tells whether they did before the patience was over. */
  boolean await(long jobs, long patienceNanos) {
    long start = System.nanoTime();
    while (count.get() < jobs) {
      if (System.nanoTime() - start > patienceNanos) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }
}
