package dev.handofffence.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** Panels of bars: the median as a bar, the least and the most of all rounds as a line. */
public final class SvgChart {

  private static final int LEAST_LABEL_WIDTH = 350;
  private static final int CHARACTER_WIDTH = 7; // of wide fonts, so that no label reaches its bar
  private static final int VALUE_WIDTH = 110;
  private static final int BAR_WIDTH = 220;
  private static final int BAR_HEIGHT = 16;
  private static final int ROW_HEIGHT = BAR_HEIGHT + 4;
  private static final int TITLE_HEIGHT = 34;
  private static final int MARGIN = 8;

  private final List<Panel> panels;
  private final int labelWidth;

  public SvgChart(List<Panel> panels) {
    this.panels = panels;
    this.labelWidth =
        panels.stream()
            .flatMap(panel -> panel.bars().stream())
            .mapToInt(bar -> MARGIN + bar.label().length() * CHARACTER_WIDTH)
            .reduce(LEAST_LABEL_WIDTH, Math::max);
  }

  /** Returns the document. */
  public String text() {
    StringBuilder content = new StringBuilder();
    int y = 0;
    for (Panel panel : panels) {
      content.append(draw(panel, y));
      y += height(panel);
    }
    return """
        <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
        <rect width="100%%" height="100%%" fill="white"/>
        %s</svg>
        """
        .formatted(labelWidth + BAR_WIDTH + VALUE_WIDTH, y, content);
  }

  private static int height(Panel panel) {
    return TITLE_HEIGHT + panel.bars().size() * ROW_HEIGHT + MARGIN;
  }

  private String draw(Panel panel, int top) {
    StringBuilder drawn = new StringBuilder(text(MARGIN, top + 20, "bold", panel.title()));
    double scale = panel.most() == 0 ? 0 : BAR_WIDTH / panel.most();
    int y = top + TITLE_HEIGHT;
    for (Panel.Bar bar : panel.bars()) {
      drawn.append(draw(bar, scale, y));
      drawn.append(
          text(
              labelWidth + BAR_WIDTH + MARGIN,
              y + 12,
              "normal",
              panel.format().apply(bar.samples().median())));
      y += ROW_HEIGHT;
    }
    return drawn.toString();
  }

  private String draw(Panel.Bar bar, double scale, int y) {
    Samples samples = bar.samples();
    return text(MARGIN, y + 12, "normal", bar.label())
        + rectangle(samples.median() * scale, y, bar.color())
        + line(
            labelWidth + samples.min() * scale,
            labelWidth + samples.max() * scale,
            y + BAR_HEIGHT / 2);
  }

  private String rectangle(double width, int y, String color) {
    return String.format(
        Locale.ROOT,
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
        labelWidth,
        y,
        width,
        BAR_HEIGHT,
        color);
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

  private static String text(int x, int y, String weight, String content) {
    return "<text x=\"%d\" y=\"%d\" font-weight=\"%s\">%s</text>\n"
        .formatted(x, y, weight, content.replace("&", "&amp;").replace("<", "&lt;"));
  }
}
