package dev.handofffence.benchmarks.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.benchmarks.server.Database;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running contender's process, as the run sees it. Not thread-safe. */
public final class ContenderHandle implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Entry entry;
  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  private ContenderHandle(Entry entry, Process process) {
    this.entry = entry;
    this.process = process;
    this.commands =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts the process and checks that its clock is ours.
   *
   * @param log what its libraries print
   */
  public static ContenderHandle start(Entry entry, Path log) {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms512m",
            "-Xmx512m",
            "-Dorg.jooq.no-logo=true",
            "-Dorg.jooq.no-tips=true",
            "-Dbench.scopes=" + System.getProperty("bench.scopes", ""),
            "-Dbench.orderedKeys=" + System.getProperty("bench.orderedKeys", ""),
            "-cp",
            System.getProperty("java.class.path"),
            ContenderProcess.class.getName(),
            entry.key());
    try {
      File file = log.toFile();
      Process process = new ProcessBuilder(command).redirectError(Redirect.appendTo(file)).start();
      ContenderHandle handle = new ContenderHandle(entry, process);
      handle.checkClock();
      return handle;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start " + entry.key(), e);
    }
  }

  /** Latencies across processes are only as good as their common clock. */
  private void checkClock() {
    long before = System.nanoTime();
    long theirs = ask(new Command.ReadClock(), Answer.Clock.class).nanos();
    if (theirs < before || theirs > System.nanoTime()) {
      throw new IllegalStateException(
          "The monotonic clocks of two processes differ on this machine: pick-up cannot be"
              + " measured");
    }
  }

  public Entry entry() {
    return entry;
  }

  public Answer.Accepted fill(Database database, int jobs, int threads, int batch) {
    return ask(new Command.Fill(database, jobs, threads, batch), Answer.Accepted.class);
  }

  public Answer.Accepted accept(Database database, Duration time, int threads, int batch) {
    return ask(new Command.Accept(database, time.toNanos(), threads, batch), Answer.Accepted.class);
  }

  public void open(Database database, int workers) {
    ask(new Command.Open(database, workers), Answer.Done.class);
  }

  /** Runs so many jobs, which are all there are, and returns after the workers are closed. */
  public Answer.Drained drainAll(int jobs, Duration patience) {
    return ask(new Command.Drain(jobs, true, patience.toNanos()), Answer.Drained.class);
  }

  /** Runs so many of more jobs, or as many as the time allows. */
  public Answer.Drained drainSome(int jobs, Duration time) {
    return ask(new Command.Drain(jobs, false, time.toNanos()), Answer.Drained.class);
  }

  public void startIdle() {
    ask(new Command.StartIdle(), Answer.Done.class);
  }

  public void produce(Database database, int jobs, Duration leastPause, Duration mostPause) {
    ask(
        new Command.Produce(database, jobs, leastPause.toNanos(), mostPause.toNanos()),
        Answer.Done.class);
  }

  public Answer.PickedUp collect(int jobs, Duration patience) {
    return ask(new Command.Collect(jobs, patience.toNanos()), Answer.PickedUp.class);
  }

  private <A extends Answer> A ask(Command command, Class<A> expected) {
    try {
      commands.write(JSON.writerFor(Command.class).writeValueAsString(command));
      commands.write('\n');
      commands.flush();
      String line = answers.readLine();
      if (line == null) {
        throw new IllegalStateException(entry.key() + " ended; see its log");
      }
      Answer answer = JSON.readValue(line, Answer.class);
      if (answer instanceof Answer.Failed failed) {
        throw new IllegalStateException(entry.key() + " failed in " + failed.reason());
      }
      return expected.cast(answer);
    } catch (IOException e) {
      throw new UncheckedIOException("Lost " + entry.key() + "; see its log", e);
    }
  }

  /** Ends the process. */
  @Override
  public void close() {
    try {
      commands.close();
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
