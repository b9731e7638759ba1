package dev.handofffence.benchmarks.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The same figure from every round. */
public final class Samples {

  private final List<Double> values = new ArrayList<>();

  public void add(double value) {
    values.add(value);
  }

  public List<Double> values() {
    return Collections.unmodifiableList(values);
  }

  public double median() {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  public double min() {
    return Collections.min(values);
  }

  public double max() {
    return Collections.max(values);
  }
}
