package dev.handofffence.benchmarks.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What the figures were measured on. */
public final class Machine {

  /** A quarter of a processor. */
  private static final double BUSY = 0.25;

  private Machine() {}

  public static Map<String, String> describe() {
    Map<String, String> description = new LinkedHashMap<>();
    description.put("processor", first("/proc/cpuinfo", "model name"));
    description.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    description.put("memory", first("/proc/meminfo", "MemTotal"));
    description.put("busy", Boolean.toString(isBusy()));
    description.put(
        "system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    description.put("java", System.getProperty("java.vm.version"));
    return description;
  }

  /** Whether others were at work when this was asked: such figures are not worth keeping. */
  public static boolean isBusy() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return load > BUSY;
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
