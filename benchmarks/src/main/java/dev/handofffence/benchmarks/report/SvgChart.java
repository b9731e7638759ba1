package dev.handofffence.benchmarks.report;

import dev.handofffence.benchmarks.contender.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One panel of bars for every figure: the median as a bar, the least and the most as a line. */
public final class SvgChart {

  private static final int PANEL_WIDTH = 620;
  private static final int LABEL_WIDTH = 290;
  private static final int BAR_WIDTH = 200;
  private static final int BAR_HEIGHT = 16;
  private static final int TITLE_HEIGHT = 34;

  private final Results results;

  public SvgChart(Results results) {
    this.results = results;
  }

  /** Returns the document. */
  public String text() {
    List<String> panels = new ArrayList<>();
    int y = 0;
    for (Metric metric : Metric.values()) {
      List<Entry> entries = entries(metric);
      if (!entries.isEmpty()) {
        panels.add(panel(metric, entries, y));
        y += TITLE_HEIGHT + entries.size() * (BAR_HEIGHT + 4) + 12;
      }
    }
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            .formatted(PANEL_WIDTH, y)
        + " font-family=\"sans-serif\" font-size=\"12\">\n"
        + "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        + String.join("", panels)
        + "</svg>\n";
  }

  private List<Entry> entries(Metric metric) {
    return results.entries().stream()
        .filter(entry -> results.get(entry, metric).isPresent())
        .toList();
  }

  private String panel(Metric metric, List<Entry> entries, int top) {
    double most =
        entries.stream()
            .mapToDouble(entry -> results.get(entry, metric).orElseThrow().max())
            .max()
            .orElse(1);
    StringBuilder panel = new StringBuilder();
    panel.append(
        text(8, top + 20, metric.title() + (metric.higherIsBetter() ? "" : ", less is better"))
            .replace("<text", "<text font-weight=\"bold\""));
    int y = top + TITLE_HEIGHT;
    for (Entry entry : entries) {
      panel.append(bar(entry, metric, most, y));
      y += BAR_HEIGHT + 4;
    }
    return panel.toString();
  }

  private String bar(Entry entry, Metric metric, double most, int y) {
    Samples samples = results.get(entry, metric).orElseThrow();
    double scale = most == 0 ? 0 : BAR_WIDTH / most;
    return text(8, y + 12, entry.title())
        + rectangle(samples.median() * scale, y, color(entry))
        + line(
            LABEL_WIDTH + samples.min() * scale,
            LABEL_WIDTH + samples.max() * scale,
            y + BAR_HEIGHT / 2)
        + text(LABEL_WIDTH + BAR_WIDTH + 8, y + 12, metric.format(samples.median()));
  }

  private static String color(Entry entry) {
    return switch (entry.role()) {
      case FLOOR -> "#b0b0b0";
      case PEER -> "#7aa6d8";
      case OURS -> "#e08030";
    };
  }

  private static String text(int x, int y, String content) {
    return "<text x=\"%d\" y=\"%d\">%s</text>\n".formatted(x, y, content.replace("&", "&amp;"));
  }

  private static String line(double from, double to, int y) {
    return String.format(
        Locale.ROOT,
        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"black\"/>\n",
        from,
        to,
        y,
        y);
  }

  private static String rectangle(double width, int y, String color) {
    return String.format(
        Locale.ROOT,
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
        LABEL_WIDTH,
        y,
        width,
        BAR_HEIGHT,
        color);
  }
}
