package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.benchmarks.contender.Phase;
import dev.handofffence.benchmarks.process.Answer;
import dev.handofffence.benchmarks.process.ContenderHandle;
import dev.handofffence.benchmarks.server.BenchmarkServer;
import dev.handofffence.benchmarks.server.Database;
import dev.handofffence.benchmarks.server.ServerMeter;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The server, the meter and the contenders' processes of one run. Not thread-safe. */
final class Bench implements AutoCloseable {

  private static final int WARM_UP_JOBS = 200;
  private static final int MOST_JOBS = 300_000;

  private final Settings settings;
  private final BenchmarkServer server;
  private final ServerMeter meter;
  private final Map<Entry, ContenderHandle> processes = new EnumMap<>(Entry.class);
  private final Map<Entry, Integer> jobs = new EnumMap<>(Entry.class);

  private Bench(Settings settings, BenchmarkServer server, ServerMeter meter) {
    this.settings = settings;
    this.server = server;
    this.meter = meter;
  }

  static Bench open(Settings settings) throws SQLException, IOException {
    Files.createDirectories(settings.output());
    BenchmarkServer server = BenchmarkServer.start();
    try {
      return new Bench(settings, server, ServerMeter.open(server));
    } catch (SQLException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  BenchmarkServer server() {
    return server;
  }

  ServerMeter meter() {
    return meter;
  }

  /** Returns the process of a contender, started and warm. */
  ContenderHandle process(Entry entry) throws SQLException {
    ContenderHandle process = processes.get(entry);
    if (process == null) {
      process = start(entry);
      processes.put(entry, process);
      warmUpAccept(entry, process);
      if (entry.takesPartIn(Phase.DRAIN)) {
        warmUp(entry);
      }
    }
    return process;
  }

  /** Starts another process of a contender; the caller closes it. */
  ContenderHandle start(Entry entry) {
    return ContenderHandle.start(entry, settings.output().resolve(entry.key() + ".log"));
  }

  /** Ends the process of a contender that has failed, with whatever connections it has. */
  void giveUp(Entry entry) {
    ContenderHandle process = processes.remove(entry);
    if (process != null) {
      process.close();
    }
  }

  private void warmUpAccept(Entry entry, ContenderHandle process) {
    Database database = server.create(entry);
    process.accept(database, settings.warmUp().dividedBy(4), Settings.ACCEPTORS, 1);
    server.drop(database);
  }

  /** Drains more and more, until a drain takes as long as a warm-up; this also tells the rate. */
  private void warmUp(Entry entry) throws SQLException {
    long spent = 0;
    int count = WARM_UP_JOBS;
    while (true) {
      Answer.Drained run = inFreshDatabase(entry, count, this::drainUnmetered);
      spent += run.nanos();
      int perPhase = perPhase(run);
      jobs.put(entry, perPhase);
      if (spent > settings.warmUp().toNanos() || count == MOST_JOBS) {
        return;
      }
      count = Math.min(perPhase, count * 4);
    }
  }

  private int perPhase(Answer.Drained run) {
    double wanted = run.jobsPerSecond() * settings.phase().toNanos() / 1e9;
    return (int) Math.max(WARM_UP_JOBS, Math.min(MOST_JOBS, wanted));
  }

  /** Returns how many jobs a contender drains in about one phase. */
  int jobs(Entry entry) throws SQLException {
    process(entry);
    return jobs.getOrDefault(entry, WARM_UP_JOBS);
  }

  /** Accepts and then drains jobs in a fresh database. */
  DrainFigures drain(Entry entry, int workers, int count) throws SQLException {
    return drain(entry, workers, count, UnaryOperator.identity());
  }

  /**
   * Drains through a proxy.
   *
   * @param route turns the database into the one that the workers connect to
   */
  DrainFigures drain(Entry entry, int workers, int count, UnaryOperator<Database> route)
      throws SQLException {
    return inFreshDatabase(
        entry, count, (same, database, jobs) -> drain(same, database, workers, jobs, route));
  }

  private <T> T inFreshDatabase(Entry entry, int count, Drain<T> drain) throws SQLException {
    Database database = server.create(entry);
    try {
      fill(entry, database, count);
      return drain.run(entry, database, count);
    } catch (IllegalStateException e) {
      giveUp(entry);
      throw e;
    } finally {
      server.drop(database);
    }
  }

  private DrainFigures drain(
      Entry entry, Database database, int workers, int count, UnaryOperator<Database> route)
      throws SQLException {
    ContenderHandle process = process(entry);
    settle(database);
    process.open(route.apply(database), workers);
    ServerMeter.Reading before = meter.read(database);
    Answer.Drained run = process.drainAll(count, Settings.PATIENCE);
    meter.awaitDisconnected(database);
    return new DrainFigures(run, meter.since(before, database));
  }

  /**
   * Drains, with 8 workers, the jobs that were accepted in this database. What the server spends is
   * not asked for: that needs the whole log of the drain, and the server may keep less.
   */
  Answer.Drained drainUnmetered(Entry entry, Database database, int count) throws SQLException {
    settle(database);
    try {
      process(entry).open(database, 8);
      return process(entry).drainAll(count, Settings.PATIENCE);
    } catch (IllegalStateException e) {
      giveUp(entry); // it may still be connected
      throw e;
    }
  }

  /** Waits for whoever used the database, and writes everything to disk. */
  void settle(Database database) throws SQLException {
    meter.awaitDisconnected(database);
    server.checkpoint();
  }

  /** Accepts so many jobs, in batches where the contender has them. */
  void fill(Entry entry, Database database, int count) throws SQLException {
    int batch = entry.hasBatches() ? Settings.BATCH : 1;
    process(entry).fill(database, count, Settings.ACCEPTORS, batch);
  }

  @Override
  public void close() throws SQLException {
    processes.values().forEach(ContenderHandle::close);
    try {
      meter.close();
    } finally {
      server.close();
    }
  }

  @FunctionalInterface
  private interface Drain<T> {
    T run(Entry entry, Database database, int jobs) throws SQLException;
  }
}
