package dev.handofffence.rails;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Programs that a rail starts; they do not outlive it. */
final class Processes {

  private Processes() {}

  /** Runs a program to its end, with its output in a file. */
  static int run(ProcessBuilder command, Path log) {
    try {
      Process running =
          command.redirectErrorStream(true).redirectOutput(Redirect.to(log.toFile())).start();
      Thread stop = new Thread(() -> stop(running), "rail-stop");
      Runtime.getRuntime().addShutdownHook(stop);
      int exit = running.waitFor();
      Runtime.getRuntime().removeShutdownHook(stop);
      return exit;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void stop(Process running) {
    running.descendants().forEach(ProcessHandle::destroy);
    running.destroy();
  }

  /** Returns what a small program prints, or null where it is missing or fails. */
  static @Nullable String output(Path folder, String program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    try {
      Process running =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectError(Redirect.DISCARD)
              .start();
      String output =
          new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return running.waitFor() == 0 ? output : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
