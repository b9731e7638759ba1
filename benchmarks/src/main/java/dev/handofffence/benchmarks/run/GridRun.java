package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.report.Grid;
import dev.handofffence.benchmarks.report.ReportFiles;
import dev.handofffence.benchmarks.report.SvgChart;
import dev.handofffence.benchmarks.report.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A run whose figures are rates under several conditions. */
abstract class GridRun implements Run {

  private final List<Grid> grids;

  GridRun(Grid... grids) {
    this.grids = Arrays.asList(grids);
  }

  /** Returns what the run has to show; nothing, unless it is told. */
  List<Target> targets() {
    return List.of();
  }

  @Override
  public String report(ReportFiles files, Map<String, Object> context) throws Exception {
    grids.forEach(grid -> context.put(grid.title(), Json.of(grid)));
    files.json(context);
    files.svg(new SvgChart(grids.stream().map(Grid::panel).toList()).text());
    String tables = grids.stream().map(Grid::text).collect(Collectors.joining("\n"));
    List<Target> targets = targets();
    return targets.isEmpty() ? tables : tables + "\n" + Target.table(targets);
  }
}
