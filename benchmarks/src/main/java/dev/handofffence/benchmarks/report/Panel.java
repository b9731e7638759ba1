package dev.handofffence.benchmarks.report;

import java.util.List;
import java.util.function.DoubleFunction;

/**
 * One figure of several contenders, to be drawn.
 *
 * @param title what it shows, with its unit
 * @param format how a value is written
 * @param bars one for each contender
 */
public record Panel(String title, DoubleFunction<String> format, List<Bar> bars) {

  /**
   * The figure of one contender.
   *
   * @param label whose it is
   * @param color of the bar, as SVG knows it
   * @param samples the values of all rounds
   */
  public record Bar(String label, String color, Samples samples) {}

  double most() {
    return bars.stream().mapToDouble(bar -> bar.samples().max()).max().orElse(0);
  }
}
