package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.report.Samples;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/**
 * What JMH found about one benchmark.
 *
 * @param samples the scores of all iterations
 * @param unit of the scores
 * @param bytes allocated per call
 */
record Trial(Samples samples, String unit, double bytes) {

  private static final String ALLOCATION = "gc.alloc.rate.norm";

  static String name(RunResult result) {
    String benchmark = result.getParams().getBenchmark();
    int method = benchmark.lastIndexOf('.');
    String name = benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1);
    return result.getParams().getParamsKeys().stream()
        .map(key -> " " + key + "=" + result.getParams().getParam(key))
        .collect(Collectors.joining("", name, ""));
  }

  static Trial of(RunResult result) {
    Samples samples = new Samples();
    result.getBenchmarkResults().stream()
        .flatMap(fork -> fork.getIterationResults().stream())
        .map(IterationResult::getPrimaryResult)
        .forEach(iteration -> samples.add(iteration.getScore()));
    return new Trial(samples, result.getPrimaryResult().getScoreUnit(), allocation(result));
  }

  private static double allocation(RunResult result) {
    return result.getSecondaryResults().values().stream()
        .filter(each -> each.getLabel().endsWith(ALLOCATION))
        .mapToDouble(each -> each.getScore())
        .findFirst()
        .orElse(Double.NaN);
  }

  String score() {
    return String.format(
        Locale.ROOT, "%,.1f [%,.1f - %,.1f]", samples.median(), samples.min(), samples.max());
  }

  Map<String, Object> json() {
    return Map.of("score", Json.of(samples), "unit", unit, "bytesPerCall", bytes);
  }
}
