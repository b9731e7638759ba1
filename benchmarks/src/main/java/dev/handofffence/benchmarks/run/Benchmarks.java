package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.report.Machine;
import dev.handofffence.benchmarks.report.ReportFiles;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The main class: runs one of the runs and prints its tables. */
public final class Benchmarks {

  private static final Map<String, Supplier<Run>> RUNS =
      Map.of(
          "throughput",
          ThroughputRun::new,
          "growth",
          GrowthRun::new,
          "held-xmin",
          HeldXminRun::new,
          "latency",
          LatencyRun::new,
          "jmh",
          JmhRun::new);

  private Benchmarks() {}

  /**
   * Runs one.
   *
   * @param args its name
   */
  public static void main(String[] args) throws Exception {
    String name = args.length == 1 ? args[0] : "";
    Supplier<Run> run = RUNS.get(name);
    if (run == null) {
      throw new IllegalArgumentException("No run '" + name + "'; there are " + RUNS.keySet());
    }
    run(name, run.get());
  }

  private static String worthKeeping() {
    if (Boolean.getBoolean("bench.quick")) {
      return "NO: a quick run only shows that it works";
    }
    return Machine.isBusy() ? "NO: the machine was busy when it began" : "yes";
  }

  private static void run(String name, Run run) throws Exception {
    Settings settings = Settings.read();
    Map<String, Object> context = new LinkedHashMap<>();
    context.put("machine", Machine.describe());
    context.put("rounds", settings.rounds());
    context.put("phaseMillis", settings.phase().toMillis());
    context.put("worthKeeping", worthKeeping());
    Progress progress = new Progress();
    try (Bench bench = Bench.open(settings)) {
      context.put("server", bench.server().settings());
      run.run(bench, settings, progress);
    } catch (Exception e) {
      context.put("failed", "the run ended early: " + e);
      report(name, run, settings, context, progress);
      throw e;
    }
    report(name, run, settings, context, progress);
  }

  private static void report(
      String name, Run run, Settings settings, Map<String, Object> context, Progress progress)
      throws Exception {
    ReportFiles files = new ReportFiles(settings.output(), name);
    StringBuilder text = new StringBuilder();
    context.forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
    text.append('\n').append(run.report(files, context));
    files.text(text.toString());
    System.out.println(text);
    progress.say("written to " + settings.output().toAbsolutePath());
  }
}
