package dev.handofffence.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * CPU time of a postmaster, its children and those of its children that have ended, from /proc. Not
 * known where there is none, or where the server runs elsewhere.
 */
final class ServerCpu {

  private static final Path PROC = Path.of("/proc");
  private static final double TICKS_PER_SECOND = 100; // USER_HZ of every Linux

  /** Fields of /proc/N/stat, counted from the one after the name of the command. */
  private static final int PARENT = 1;

  private static final int USER = 11;
  private static final int REAPED_SYSTEM = 14;
  private static final int SYSTEM = 12;

  private final long postmaster;

  private ServerCpu(long postmaster) {
    this.postmaster = postmaster;
  }

  static ServerCpu ofBackend(long backendPid) {
    Path backend = PROC.resolve(Long.toString(backendPid));
    return new ServerCpu(isPostgres(backend) ? Long.parseLong(fields(backend).get(PARENT)) : -1);
  }

  private static boolean isPostgres(Path process) {
    try {
      return Files.readString(process.resolve("comm")).startsWith("postgres");
    } catch (IOException e) {
      return false; // another machine, or no /proc
    }
  }

  OptionalDouble seconds() {
    if (postmaster < 0) {
      return OptionalDouble.empty();
    }
    try (Stream<Path> processes = Files.list(PROC)) {
      long ticks =
          processes
              .filter(path -> Character.isDigit(path.getFileName().toString().charAt(0)))
              .mapToLong(this::ticks)
              .sum();
      return OptionalDouble.of(ticks / TICKS_PER_SECOND);
    } catch (IOException e) {
      return OptionalDouble.empty();
    }
  }

  private long ticks(Path process) {
    List<String> fields = fields(process);
    if (fields.isEmpty()) {
      return 0; // it has ended meanwhile, and counts as reaped
    } else if (process.endsWith(Long.toString(postmaster))) {
      return sum(fields, USER, REAPED_SYSTEM);
    } else if (fields.get(PARENT).equals(Long.toString(postmaster))) {
      return sum(fields, USER, SYSTEM);
    }
    return 0;
  }

  private static long sum(List<String> fields, int from, int to) {
    return fields.subList(from, to + 1).stream().mapToLong(Long::parseLong).sum();
  }

  private static List<String> fields(Path process) {
    try {
      String line = Files.readString(process.resolve("stat"));
      return List.of(line.substring(line.lastIndexOf(')') + 2).trim().split(" "));
    } catch (IOException e) {
      return List.of();
    }
  }
}
