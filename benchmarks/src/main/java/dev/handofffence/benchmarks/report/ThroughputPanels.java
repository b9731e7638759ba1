package dev.handofffence.benchmarks.report;

import java.util.Arrays;
import java.util.List;

/** A panel for every figure of a throughput run. */
public final class ThroughputPanels {

  private ThroughputPanels() {}

  public static List<Panel> of(Results results) {
    return Arrays.stream(Metric.values())
        .map(metric -> panel(results, metric))
        .filter(panel -> !panel.bars().isEmpty())
        .toList();
  }

  private static Panel panel(Results results, Metric metric) {
    List<Panel.Bar> bars =
        results.entries().stream()
            .flatMap(
                entry ->
                    results.get(entry, metric).stream()
                        .map(
                            samples ->
                                new Panel.Bar(entry.title(), Colors.of(entry.role()), samples)))
            .toList();
    String title = metric.title() + (metric.higherIsBetter() ? "" : ", less is better");
    return new Panel(title, metric::format, bars);
  }
}
