package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.benchmarks.report.Grid;
import dev.handofffence.benchmarks.report.Metric;
import dev.handofffence.benchmarks.report.Results;
import dev.handofffence.benchmarks.report.Samples;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Figures as maps of maps, with every single value. */
final class Json {

  private Json() {}

  static Map<String, Object> of(Results results) {
    Map<String, Object> entries = new LinkedHashMap<>();
    for (Entry entry : results.entries()) {
      Map<String, Object> metrics = new LinkedHashMap<>();
      results.of(entry).forEach((metric, samples) -> metrics.put(key(metric), of(samples)));
      entries.put(entry.key(), metrics);
    }
    return entries;
  }

  static Map<String, Object> of(Grid grid) {
    Map<String, Object> entries = new LinkedHashMap<>();
    grid.rates()
        .forEach(
            (entry, conditions) -> {
              Map<String, Object> rates = new LinkedHashMap<>();
              conditions.forEach((condition, samples) -> rates.put(condition, of(samples)));
              entries.put(entry.key(), rates);
            });
    return entries;
  }

  static Map<String, Object> of(Samples samples) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("median", samples.median());
    values.put("min", samples.min());
    values.put("max", samples.max());
    values.put("values", samples.values());
    return values;
  }

  private static String key(Metric metric) {
    return metric.name().toLowerCase(Locale.ROOT);
  }
}
