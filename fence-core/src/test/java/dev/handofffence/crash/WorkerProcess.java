package dev.handofffence.crash;

import dev.handofffence.fixture.ChildJvm;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.Waits;
import java.util.List;

/** A worker in a JVM of its own, seen from the test that kills or pauses it. */
final class WorkerProcess implements AutoCloseable {

  static final String APPLICATION = "fence-it-worker";

  private final DurableDatabase database;
  private final ChildJvm child;

  private WorkerProcess(DurableDatabase database, ChildJvm child) {
    this.database = database;
    this.child = child;
  }

  /** Starts a worker that blocks at a stop, and ends after so many passes of so many items. */
  static WorkerProcess start(DurableDatabase database, Stop stop, int passes, int items) {
    return new WorkerProcess(
        database,
        ChildJvm.start(
            WorkerMain.class,
            database.jdbcUrl(),
            database.store().storeId().toString(),
            database.store().epoch().toString(),
            stop.name(),
            Integer.toString(passes),
            Integer.toString(items)));
  }

  /** Returns the next thing that the worker says, when it has said it. */
  String next() {
    return child.next();
  }

  /** Returns the next things that the worker says, in the order of the alphabet. */
  List<String> next(int count) {
    return child.next(count);
  }

  /** Stops all threads of the worker where they are. */
  void pause() {
    child.pause();
  }

  /** Lets everything go on, also the attempts that are, or will be, at the stop. */
  void resume() {
    child.tell("go on");
    child.resume();
  }

  /** Kills the worker; on return the server has noticed, and holds no lock of it. */
  void kill() {
    child.kill();
    Waits.until(
        database,
        "SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = current_database()"
            + " AND application_name = '"
            + APPLICATION
            + "'");
  }

  @Override
  public void close() {
    kill();
  }
}
