package dev.handofffence.benchmarks.report;

import dev.handofffence.benchmarks.contender.Entry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** One rate of several contenders under several conditions, the first of which is the easiest. */
public final class Grid {

  private final String title;
  private final Map<Entry, Map<String, Samples>> rates = new EnumMap<>(Entry.class);

  public Grid(String title) {
    this.title = title;
  }

  public void add(Entry entry, String condition, double rate) {
    rates
        .computeIfAbsent(entry, key -> new LinkedHashMap<>())
        .computeIfAbsent(condition, key -> new Samples())
        .add(rate);
  }

  public String title() {
    return title;
  }

  public Map<Entry, Map<String, Samples>> rates() {
    return rates;
  }

  /** Returns the rate under one condition divided by that under another, where both are known. */
  public OptionalDouble ratio(Entry entry, String condition, String to) {
    OptionalDouble rate = median(entry, condition);
    OptionalDouble base = median(entry, to);
    return rate.isPresent() && base.isPresent() && base.getAsDouble() != 0
        ? OptionalDouble.of(rate.getAsDouble() / base.getAsDouble())
        : OptionalDouble.empty();
  }

  private OptionalDouble median(Entry entry, String condition) {
    Samples samples = rates.getOrDefault(entry, Map.of()).get(condition);
    return samples == null ? OptionalDouble.empty() : OptionalDouble.of(samples.median());
  }

  /** Returns a row for every contender and condition, with the ratio to the first condition. */
  public String text() {
    TextTable table =
        new TextTable(List.of("contender", "condition", "jobs/s: median [min - max]", "ratio"));
    rates.forEach((entry, conditions) -> rows(table, entry, conditions));
    return title + "\n\n" + table;
  }

  private static void rows(TextTable table, Entry entry, Map<String, Samples> conditions) {
    double first = conditions.values().iterator().next().median();
    conditions.forEach(
        (condition, samples) ->
            table.row(
                List.of(
                    entry.title(),
                    condition,
                    "%s [%s - %s]"
                        .formatted(
                            rate(samples.median()), rate(samples.min()), rate(samples.max())),
                    String.format(Locale.ROOT, "%.2f", samples.median() / first))));
  }

  private static String rate(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  /** Returns a panel with a bar for every contender and condition. */
  public Panel panel() {
    List<Panel.Bar> bars = new ArrayList<>();
    rates.forEach(
        (entry, conditions) ->
            conditions.forEach(
                (condition, samples) ->
                    bars.add(
                        new Panel.Bar(
                            entry.title() + ": " + condition, Colors.of(entry.role()), samples))));
    return new Panel(title + " (jobs/s)", Grid::rate, bars);
  }
}
