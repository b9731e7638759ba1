package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.report.ReportFiles;
import java.util.Map;

/** One command of the benchmarks. */
interface Run {

  void run(Bench bench, Settings settings, Progress progress) throws Exception;

  /**
   * Writes the machine-readable figures and the chart.
   *
   * @param context settings and machine, to be written with the figures
   * @return the readable tables
   */
  String report(ReportFiles files, Map<String, Object> context) throws Exception;
}
