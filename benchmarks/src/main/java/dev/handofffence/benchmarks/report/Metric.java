package dev.handofffence.benchmarks.report;

import java.util.Locale;

/** A figure of the throughput run. */
public enum Metric {
  DRAIN_8("drain, 8 workers", "jobs/s", true, 0),
  DRAIN_32("drain, 32 workers", "jobs/s", true, 0),
  ACCEPT_ONE("accept one by one", "jobs/s", true, 0),
  ACCEPT_BATCH("accept in batches", "jobs/s", true, 0),
  PICK_UP_P50("idle pick-up p50", "ms", false, 1),
  PICK_UP_P99("idle pick-up p99", "ms", false, 1),
  /** Transactions, reading ones as well. */
  COMMITS("commits per drained job", "", false, 2),
  /** Transactions that had something to flush. */
  WRITING_COMMITS("flushed commits per drained job", "", false, 2),
  TRIPS("round trips per drained job", "", false, 2),
  ACCEPT_WAL("WAL per accepted job", "bytes", false, 0),
  ACCEPT_FULL_PAGES("full-page images per accepted job", "bytes", false, 0),
  DRAIN_WAL("WAL per drained job", "bytes", false, 0),
  DRAIN_FULL_PAGES("full-page images per drained job", "bytes", false, 0),
  /** With the compiler's and the collector's. */
  JVM_CPU("JVM CPU per 1,000 drained jobs", "s", false, 3),
  SERVER_CPU("server CPU per 1,000 drained jobs", "s", false, 3);

  private final String title;
  private final String unit;
  private final boolean higherIsBetter;
  private final int digits;

  Metric(String title, String unit, boolean higherIsBetter, int digits) {
    this.title = title;
    this.unit = unit;
    this.higherIsBetter = higherIsBetter;
    this.digits = digits;
  }

  /** Returns what it measures, with its unit. */
  public String title() {
    return unit.isEmpty() ? title : title + " (" + unit + ")";
  }

  public boolean higherIsBetter() {
    return higherIsBetter;
  }

  public String format(double value) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
