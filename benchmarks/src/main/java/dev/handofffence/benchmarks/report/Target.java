package dev.handofffence.benchmarks.report;

import dev.handofffence.benchmarks.contender.Entry;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Something that a run must show.
 *
 * @param title what is compared with what
 * @param limit the figure to reach
 * @param atLeast whether more is better
 * @param value what the run shows, if it measured both sides
 */
public record Target(String title, double limit, boolean atLeast, OptionalDouble value) {

  static Target atLeast(String title, double limit, OptionalDouble value) {
    return new Target(title, limit, true, value);
  }

  static Target atMost(String title, double limit, OptionalDouble value) {
    return new Target(title, limit, false, value);
  }

  /** Returns a table with a verdict for each. */
  public static String table(List<Target> targets) {
    TextTable table = new TextTable(List.of("target", "limit", "this run", "verdict"));
    for (Target target : targets) {
      table.row(List.of(target.title(), target.limitText(), target.valueText(), target.verdict()));
    }
    return "Targets (the best peer is " + Entry.BEST_PEER.title() + ")\n\n" + table;
  }

  String verdict() {
    if (value.isEmpty()) {
      return "not measured";
    }
    boolean met = atLeast ? value.getAsDouble() >= limit : value.getAsDouble() <= limit;
    return met ? "met" : "MISSED";
  }

  String limitText() {
    return (atLeast ? "at least " : "at most ") + number(limit);
  }

  String valueText() {
    return value.isPresent() ? number(value.getAsDouble()) : "-";
  }

  private static String number(double number) {
    return String.format(Locale.ROOT, number >= 100 ? "%,.0f" : "%.2f", number);
  }
}
