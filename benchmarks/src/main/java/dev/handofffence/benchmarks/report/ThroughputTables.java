package dev.handofffence.benchmarks.report;

import dev.handofffence.benchmarks.contender.Entry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The tables of a throughput run. */
public final class ThroughputTables {

  private static final List<Metric> RATES =
      List.of(
          Metric.DRAIN_8,
          Metric.DRAIN_32,
          Metric.ACCEPT_ONE,
          Metric.ACCEPT_BATCH,
          Metric.PICK_UP_P50,
          Metric.PICK_UP_P99);

  private static final List<Metric> COSTS =
      Arrays.stream(Metric.values()).filter(metric -> !RATES.contains(metric)).toList();

  private final Results results;

  public ThroughputTables(Results results) {
    this.results = results;
  }

  /** Medians, with the least and the most of all rounds in brackets. */
  public String text() {
    return "Rates: median [min - max]\n\n"
        + figures(RATES)
        + "\nCosts: median [min - max]\n\n"
        + figures(COSTS)
        + "\nRatio to "
        + Entry.FLOOR.title()
        + "\n\n"
        + ratios(Entry.FLOOR)
        + "\nRatio to "
        + Entry.BEST_PEER.title()
        + "\n\n"
        + ratios(Entry.BEST_PEER)
        + "\nRatios within 1.25x are noise.\n";
  }

  private TextTable figures(List<Metric> metrics) {
    TextTable table = new TextTable(header(metrics));
    for (Entry entry : results.entries()) {
      List<String> row = new ArrayList<>(List.of(entry.title()));
      metrics.forEach(metric -> row.add(figure(entry, metric)));
      table.row(row);
    }
    return table;
  }

  private static List<String> header(List<Metric> metrics) {
    List<String> header = new ArrayList<>(List.of("contender"));
    metrics.forEach(metric -> header.add(metric.title()));
    return header;
  }

  private String figure(Entry entry, Metric metric) {
    return results
        .get(entry, metric)
        .map(
            samples ->
                metric.format(samples.median())
                    + " ["
                    + metric.format(samples.min())
                    + " - "
                    + metric.format(samples.max())
                    + "]")
        .orElse("-");
  }

  private TextTable ratios(Entry to) {
    TextTable table = new TextTable(header(Arrays.asList(Metric.values())));
    for (Entry entry : results.entries()) {
      List<String> row = new ArrayList<>(List.of(entry.title()));
      for (Metric metric : Metric.values()) {
        row.add(ratio(results.ratio(entry, to, metric)));
      }
      table.row(row);
    }
    return table;
  }

  private static String ratio(OptionalDouble ratio) {
    return ratio.isPresent() ? String.format(Locale.ROOT, "%.2f", ratio.getAsDouble()) : "-";
  }
}
