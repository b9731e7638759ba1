package dev.handofffence.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** A table in Markdown that is aligned enough to be read as it is. */
public final class TextTable {

  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(List<String> header) {
    rows.add(header);
  }

  public TextTable row(List<String> cells) {
    rows.add(cells);
    return this;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(line(rows.get(0)));
    text.append(line(rows.get(0).stream().map(cell -> "---").toList()));
    rows.stream().skip(1).forEach(row -> text.append(line(row)));
    return text.toString();
  }

  private String line(List<String> cells) {
    StringBuilder line = new StringBuilder("|");
    for (int column = 0; column < cells.size(); column++) {
      String cell = cells.get(column);
      line.append(' ').append(cell).append(" ".repeat(width(column) - cell.length())).append(" |");
    }
    return line.append('\n').toString();
  }

  private int width(int column) {
    return Math.max(3, rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
  }
}
