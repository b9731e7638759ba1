package dev.handofffence.benchmarks.process;

import dev.handofffence.benchmarks.contender.Producer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Threads that accept jobs as fast as they can, one by one or in batches. */
final class Acceptors {

  private final Producer producer;
  private final int threads;
  private final int batch;
  private final AtomicLong accepted = new AtomicLong();

  Acceptors(Producer producer, int threads, int batch) {
    this.producer = producer;
    this.threads = threads;
    this.batch = batch;
  }

  Answer.Accepted acceptFor(long nanos) throws Exception {
    long start = System.nanoTime();
    return run(
        () -> {
          while (System.nanoTime() - start < nanos) {
            accept(batch);
          }
          return null;
        });
  }

  Answer.Accepted acceptJobs(int jobs) throws Exception {
    AtomicLong left = new AtomicLong(jobs);
    return run(
        () -> {
          for (long rest = left.getAndAdd(-batch); rest > 0; rest = left.getAndAdd(-batch)) {
            accept((int) Math.min(rest, batch));
          }
          return null;
        });
  }

  private void accept(int size) throws Exception {
    if (size == 1) {
      producer.accept(Bodies.payload());
    } else {
      producer.acceptAll(Stream.generate(Bodies::payload).limit(size).toList());
    }
    accepted.addAndGet(size);
  }

  private Answer.Accepted run(java.util.concurrent.Callable<Void> loop) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      long cpu = Cpu.processNanos();
      long start = System.nanoTime();
      List<Future<Void>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(executor.submit(loop));
      }
      for (Future<Void> each : running) {
        each.get();
      }
      return new Answer.Accepted(
          accepted.get(), System.nanoTime() - start, Cpu.processNanos() - cpu);
    } finally {
      executor.shutdown();
    }
  }
}
