package dev.handofffence.acceptance;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Runs the same thing on many threads at once. */
final class Together {

  /** What thread i does. */
  @FunctionalInterface
  interface Task<T> {
    T run(int i) throws Exception;
  }

  private Together() {}

  static <T> List<T> run(int threads, Task<T> task) {
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<T>> running =
          IntStream.range(0, threads)
              .mapToObj(
                  i ->
                      executor.submit(
                          () -> {
                            start.await();
                            return task.run(i);
                          }))
              .toList();
      return running.stream().map(Together::get).toList();
    } finally {
      executor.shutdown();
    }
  }

  private static <T> T get(Future<T> running) {
    try {
      return running.get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
