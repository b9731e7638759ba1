package dev.handofffence.rails;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the user sees: a line for each step, and the end of the output of one that failed. */
@SuppressWarnings("SystemOut") // a program for the command line
final class Console {

  private static final int TAIL = 40;

  private Console() {}

  static void say(String line) {
    System.out.println(line);
  }

  static void begin(String step) {
    System.out.print("  " + step + " ... ");
    System.out.flush();
  }

  static void end(int exit, long seconds) {
    System.out.println((exit == 0 ? "ok, " : "exit " + exit + ", ") + seconds + " s");
  }

  static void tail(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      lines.subList(Math.max(0, lines.size() - TAIL), lines.size()).forEach(Console::say);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
