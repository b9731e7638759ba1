package dev.handofffence.crash;

import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.Waits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker in a JVM of its own, seen from the test that kills or pauses it. */
final class WorkerProcess implements AutoCloseable {

  static final String MARK = "@ ";
  static final String APPLICATION = "fence-it-worker";

  private static final long PATIENCE_SECONDS = 60;

  private final DurableDatabase database;
  private final Process process;
  private final Writer in;
  private final BlockingQueue<String> marks = new LinkedBlockingQueue<>();
  private final List<String> output = Collections.synchronizedList(new ArrayList<>());

  private WorkerProcess(DurableDatabase database, Process process) {
    this.database = database;
    this.process = process;
    this.in = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, "worker-output");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a worker that makes one pass. */
  static WorkerProcess start(DurableDatabase database, Stop stop) {
    return start(database, stop, 1);
  }

  static WorkerProcess start(DurableDatabase database, Stop stop, int passes) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Xshare:auto", "-Dorg.jooq.no-logo=true", "-Dorg.jooq.no-tips=true"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(WorkerMain.class.getName());
    command.add(database.jdbcUrl());
    command.add(database.store().storeId().toString());
    command.add(database.store().epoch().toString());
    command.add(stop.name());
    command.add(Integer.toString(passes));
    try {
      return new WorkerProcess(
          database, new ProcessBuilder(command).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the next thing that the worker says, when it has said it. */
  String next() {
    try {
      String mark = marks.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (mark == null) {
        throw new IllegalStateException("The worker says nothing; it said " + output);
      }
      return mark;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Returns the next things that the worker says, in the order of the alphabet. */
  List<String> next(int count) {
    List<String> said = new ArrayList<>();
    while (said.size() < count) {
      said.add(next());
    }
    Collections.sort(said);
    return said;
  }

  /** Lets all attempts go on that are, or will be, at the stop. */
  void goOn() {
    try {
      in.write("go on\n");
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops all threads of the worker where they are (SIGSTOP). */
  void pause() {
    signal("STOP");
  }

  /** Lets them go on (SIGCONT). */
  void resume() {
    signal("CONT");
  }

  /** Kills the worker (SIGKILL); on return the server has noticed, and holds no lock of it. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
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

  private void signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("kill -" + name + " failed; the worker said " + output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.add(line);
        if (line.startsWith(MARK)) {
          marks.add(line.substring(MARK.length()));
        }
      }
    } catch (IOException e) {
      output.add("unreadable: " + e.getMessage());
    }
  }
}
