package dev.handofffence.benchmarks.report;

import dev.handofffence.benchmarks.contender.Entry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** All figures of a throughput run. */
public final class Results {

  private final Map<Entry, Map<Metric, Samples>> figures = new EnumMap<>(Entry.class);

  public void add(Entry entry, Metric metric, double value) {
    figures
        .computeIfAbsent(entry, key -> new EnumMap<>(Metric.class))
        .computeIfAbsent(metric, key -> new Samples())
        .add(value);
  }

  public void add(Entry entry, Metric metric, OptionalDouble value) {
    value.ifPresent(known -> add(entry, metric, known));
  }

  public Set<Entry> entries() {
    return figures.keySet();
  }

  public Map<Metric, Samples> of(Entry entry) {
    return figures.getOrDefault(entry, Map.of());
  }

  public Optional<Samples> get(Entry entry, Metric metric) {
    return Optional.ofNullable(of(entry).get(metric));
  }

  public OptionalDouble median(Entry entry, Metric metric) {
    return get(entry, metric).stream().mapToDouble(Samples::median).findFirst();
  }

  /** Returns the figure of one entry divided by that of another, where both are known. */
  public OptionalDouble ratio(Entry entry, Entry to, Metric metric) {
    OptionalDouble ours = median(entry, metric);
    OptionalDouble theirs = median(to, metric);
    return ours.isPresent() && theirs.isPresent() && theirs.getAsDouble() != 0
        ? OptionalDouble.of(ours.getAsDouble() / theirs.getAsDouble())
        : OptionalDouble.empty();
  }
}
