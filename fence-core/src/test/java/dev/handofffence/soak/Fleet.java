package dev.handofffence.soak;

import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.ChildJvm;
import dev.handofffence.fixture.DurableDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The worker processes. */
final class Fleet implements AutoCloseable {

  private final DurableDatabase database;
  private final long seed;
  private final List<ChildJvm> workers = new ArrayList<>();
  private final List<Paused> paused = new ArrayList<>();

  Fleet(DurableDatabase database, long seed) {
    this.database = database;
    this.seed = seed;
  }

  private record Paused(ChildJvm worker, long until) {}

  /** Starts workers of an epoch; returns when they run, so that a slow machine has less turmoil. */
  void start(StoreIdentity store, int count) {
    List<ChildJvm> started =
        Stream.generate(() -> worker(store)).limit(count).collect(Collectors.toList());
    workers.addAll(started);
    started.forEach(ChildJvm::next);
  }

  private ChildJvm worker(StoreIdentity store) {
    return ChildJvm.start(
        SoakWorker.class,
        database.jdbcUrl(),
        store.storeId().toString(),
        store.epoch().toString(),
        Long.toString(seed));
  }

  /** Kills one, paused or not. */
  void killOne(Random random) {
    ChildJvm worker = workers.remove(random.nextInt(workers.size()));
    paused.removeIf(p -> p.worker == worker);
    worker.kill();
  }

  /** Stops one for a time; {@link #resumeDue} lets it go on. */
  void pauseOne(Random random, long millis) {
    ChildJvm worker = workers.get(random.nextInt(workers.size()));
    worker.pause();
    paused.add(new Paused(worker, System.nanoTime() + millis * 1_000_000));
  }

  void resumeDue() {
    long now = System.nanoTime();
    List<Paused> due = paused.stream().filter(p -> p.until - now <= 0).toList();
    due.forEach(p -> p.worker.resume());
    paused.removeAll(due);
  }

  /** Fails when a worker has ended by itself, or prints what nobody expects. */
  void check() {
    for (ChildJvm worker : workers) {
      if (!worker.isAlive()) {
        throw new AssertionError("A worker ended by itself: " + worker.output());
      }
    }
  }

  int size() {
    return workers.size();
  }

  /** Returns the end of what each worker printed. */
  List<String> output() {
    return workers.stream().flatMap(w -> w.output().stream()).toList();
  }

  /** Kills all. */
  @Override
  public void close() {
    workers.forEach(ChildJvm::close);
    workers.clear();
    paused.clear();
  }
}
