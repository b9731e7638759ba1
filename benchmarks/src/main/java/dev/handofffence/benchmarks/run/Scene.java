package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.benchmarks.process.Answer;
import dev.handofffence.benchmarks.process.ContenderHandle;
import dev.handofffence.benchmarks.server.Database;
import java.sql.SQLException;
import java.time.Duration;

/** A database in which one contender is measured several times. Dropped when closed. */
final class Scene implements AutoCloseable {

  private final Bench bench;
  private final Entry entry;
  private final Database database;

  private Scene(Bench bench, Entry entry, Database database) {
    this.bench = bench;
    this.entry = entry;
    this.database = database;
  }

  static Scene open(Bench bench, Entry entry) throws SQLException {
    bench.process(entry); // started and warm
    return new Scene(bench, entry, bench.server().create(entry));
  }

  Database database() {
    return database;
  }

  Entry entry() {
    return entry;
  }

  void fill(int jobs) throws SQLException {
    bench.fill(entry, database, jobs);
  }

  /** Accepts one by one for some time. */
  Answer.Accepted acceptFor(Duration time) throws SQLException {
    bench.settle(database);
    return bench.process(entry).accept(database, time, Settings.ACCEPTORS, 1);
  }

  /** Runs all jobs that were accepted, and returns the rate. */
  double drainAll(int jobs) throws SQLException {
    return bench.drainUnmetered(entry, database, jobs).jobsPerSecond();
  }

  /** Runs so many jobs of more, or as many as the time allows, and returns the rate. */
  double drainFor(Duration time, int jobs, Database route) throws SQLException {
    bench.settle(database);
    ContenderHandle process = bench.process(entry);
    process.open(route, 8);
    return process.drainSome(jobs, time).jobsPerSecond();
  }

  @Override
  public void close() {
    bench.server().drop(database);
  }
}
