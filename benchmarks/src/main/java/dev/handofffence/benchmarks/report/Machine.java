package dev.handofffence.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What the figures were measured on. */
public final class Machine {

  private Machine() {}

  public static Map<String, String> describe() {
    Map<String, String> description = new LinkedHashMap<>();
    description.put("processor", first("/proc/cpuinfo", "model name"));
    description.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    description.put("memory", first("/proc/meminfo", "MemTotal"));
    description.put("load", load());
    description.put(
        "system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    description.put("java", System.getProperty("java.vm.version"));
    return description;
  }

  /** The load before the run: figures from a busy machine are not worth keeping. */
  private static String load() {
    try {
      return Files.readString(Path.of("/proc/loadavg")).trim();
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String first(String file, String name) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
