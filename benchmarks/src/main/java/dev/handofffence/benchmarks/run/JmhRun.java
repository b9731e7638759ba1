package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.benchmarks.jmh.Trials;
import dev.handofffence.benchmarks.report.Panel;
import dev.handofffence.benchmarks.report.ReportFiles;
import dev.handofffence.benchmarks.report.SvgChart;
import dev.handofffence.benchmarks.report.TextTable;
import dev.handofffence.benchmarks.server.Database;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The fence beside the same sequence by hand, and the codecs. */
final class JmhRun implements Run {

  private final Map<String, Trial> trials = new LinkedHashMap<>();

  @Override
  public void run(Bench bench, Settings settings, Progress progress) throws Exception {
    Database database = bench.server().create(Entry.FENCE);
    progress.say("JMH");
    Trials.run(
            database, Boolean.getBoolean("bench.quick"), settings.output().resolve("jmh-raw.json"))
        .forEach(result -> trials.put(Trial.name(result), Trial.of(result)));
    bench.server().drop(database);
  }

  @Override
  public String report(ReportFiles files, Map<String, Object> context) throws Exception {
    Map<String, Object> figures = new LinkedHashMap<>();
    trials.forEach((name, trial) -> figures.put(name, trial.json()));
    context.put("results", figures);
    files.json(context);
    files.svg(new SvgChart(panels()).text());
    return table() + "\n" + comparison();
  }

  private String table() {
    TextTable table =
        new TextTable(List.of("benchmark", "median [min - max]", "unit", "bytes per call"));
    trials.forEach(
        (name, trial) ->
            table.row(List.of(name, trial.score(), trial.unit(), number(trial.bytes()))));
    return table.toString();
  }

  /** The fence against the hand-written sequence, for every delay. */
  private String comparison() {
    TextTable table = new TextTable(List.of("delay, ms each way", "time ratio", "bytes beside"));
    for (String delay : List.of("0", "1")) {
      Trial fence = trials.get("FenceBenchmark.fence delay=" + delay);
      Trial hand = trials.get("FenceBenchmark.handWritten delay=" + delay);
      if (fence != null && hand != null) {
        double ratio = fence.samples().median() / hand.samples().median();
        table.row(
            List.of(
                delay,
                String.format(Locale.ROOT, "%.2f", ratio),
                number(fence.bytes() - hand.bytes())));
      }
    }
    return "fence against the same sequence in hand-written pipelined JDBC\n\n" + table;
  }

  private List<Panel> panels() {
    return trials.entrySet().stream()
        .map(
            trial ->
                new Panel(
                    trial.getKey() + " (" + trial.getValue().unit() + ")",
                    JmhRun::number,
                    List.of(new Panel.Bar(trial.getKey(), "#7aa6d8", trial.getValue().samples()))))
        .toList();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }
}
