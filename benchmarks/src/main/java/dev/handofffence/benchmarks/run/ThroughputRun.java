package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.benchmarks.contender.Phase;
import dev.handofffence.benchmarks.process.Answer;
import dev.handofffence.benchmarks.process.ContenderHandle;
import dev.handofffence.benchmarks.report.Metric;
import dev.handofffence.benchmarks.report.ReportFiles;
import dev.handofffence.benchmarks.report.Results;
import dev.handofffence.benchmarks.report.SvgChart;
import dev.handofffence.benchmarks.report.Targets;
import dev.handofffence.benchmarks.report.ThroughputPanels;
import dev.handofffence.benchmarks.report.ThroughputTables;
import dev.handofffence.benchmarks.server.Database;
import dev.handofffence.benchmarks.server.ServerMeter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Accept, drain and pick-up of all contenders, side by side. */
final class ThroughputRun implements Run {

  /** Left out: the process that accepts has just been started. */
  private static final int COLD_PICK_UPS = 30;

  private static final Duration LEAST_PAUSE = Duration.ofMillis(20);
  private static final Duration MOST_PAUSE = Duration.ofMillis(220);
  private static final Duration SETTLE = Duration.ofSeconds(1);

  private final Results results = new Results();
  private final Map<Entry, String> failures = new EnumMap<>(Entry.class);

  @Override
  public void run(Bench bench, Settings settings, Progress progress) throws Exception {
    for (int round = 0; round < settings.rounds(); round++) {
      for (Phase phase : Phase.values()) {
        for (Entry entry : order(settings.entries(), round)) {
          if (entry.takesPartIn(phase) && !failures.containsKey(entry)) {
            progress.say("round " + (round + 1) + ", " + phase + ": " + entry.key());
            attempt(bench, settings, phase, entry);
          }
        }
      }
    }
  }

  /** Every round begins with another contender, so that nobody always follows the same one. */
  private static List<Entry> order(List<Entry> entries, int round) {
    List<Entry> rotated = new ArrayList<>(entries);
    Collections.rotate(rotated, -round);
    return rotated;
  }

  /** A contender that fails takes no further part; the others do. */
  private void attempt(Bench bench, Settings settings, Phase phase, Entry entry) throws Exception {
    try {
      measure(bench, settings, phase, entry);
    } catch (IllegalStateException e) {
      failures.put(entry, phase + ": " + e.getMessage());
      bench.giveUp(entry);
    }
  }

  private void measure(Bench bench, Settings settings, Phase phase, Entry entry) throws Exception {
    switch (phase) {
      case ACCEPT_ONE -> acceptOne(bench, settings, entry);
      case ACCEPT_BATCH -> acceptBatch(bench, settings, entry);
      case DRAIN -> drain(bench, settings, entry);
      case PICK_UP -> pickUp(bench, settings, entry);
    }
  }

  private void acceptOne(Bench bench, Settings settings, Entry entry) throws SQLException {
    ContenderHandle process = bench.process(entry);
    Database database = bench.server().create(entry);
    bench.server().checkpoint();
    ServerMeter.Reading before = bench.meter().read(database);
    Answer.Accepted accepted = process.accept(database, settings.phase(), Settings.ACCEPTORS, 1);
    bench.meter().awaitDisconnected(database);
    ServerMeter.Spent spent = bench.meter().since(before, database);
    bench.server().drop(database);

    results.add(entry, Metric.ACCEPT_ONE, accepted.jobsPerSecond());
    double jobs = accepted.jobs();
    results.add(entry, Metric.ACCEPT_WAL, (spent.walBytes() - spent.fullPageBytes()) / jobs);
    results.add(entry, Metric.ACCEPT_FULL_PAGES, spent.fullPageBytes() / jobs);
  }

  private void acceptBatch(Bench bench, Settings settings, Entry entry) throws SQLException {
    ContenderHandle process = bench.process(entry);
    Database database = bench.server().create(entry);
    bench.server().checkpoint();
    Answer.Accepted accepted =
        process.accept(database, settings.phase(), Settings.ACCEPTORS, Settings.BATCH);
    bench.server().drop(database);
    results.add(entry, Metric.ACCEPT_BATCH, accepted.jobsPerSecond());
  }

  private void drain(Bench bench, Settings settings, Entry entry) throws SQLException {
    int jobs = bench.jobs(entry);
    results.add(entry, Metric.DRAIN_32, bench.drain(entry, 32, jobs).jobsPerSecond());
    DrainFigures eight = bench.drain(entry, 8, jobs);
    results.add(entry, Metric.DRAIN_8, eight.jobsPerSecond());
    results.add(entry, Metric.COMMITS, eight.commitsPerJob());
    results.add(entry, Metric.WRITING_COMMITS, eight.writingCommitsPerJob());
    results.add(entry, Metric.DRAIN_WAL, eight.walBytesPerJob());
    results.add(entry, Metric.DRAIN_FULL_PAGES, eight.fullPageBytesPerJob());
    results.add(entry, Metric.JVM_CPU, eight.jvmCpuPerThousand());
    results.add(entry, Metric.SERVER_CPU, eight.serverCpuPerThousand());
    results.add(
        entry, Metric.TRIPS, RoundTrips.perJob(bench, entry, Math.min(jobs, settings.tripJobs())));
  }

  private void pickUp(Bench bench, Settings settings, Entry entry) throws Exception {
    ContenderHandle workers = bench.process(entry);
    int jobs = COLD_PICK_UPS + settings.pickUps();
    Database database = bench.server().create(entry);
    bench.server().checkpoint();
    workers.open(database, 8);
    workers.startIdle();
    Thread.sleep(SETTLE.toMillis()); // they find nothing and go to rest
    try (ContenderHandle producer = bench.start(entry)) {
      producer.produce(database, jobs, LEAST_PAUSE, MOST_PAUSE);
    }
    List<Long> nanos =
        workers.collect(jobs, Settings.PATIENCE).nanos().stream()
            .skip(COLD_PICK_UPS)
            .sorted()
            .toList();
    bench.server().drop(database);
    results.add(entry, Metric.PICK_UP_P50, percentile(nanos, 0.50));
    results.add(entry, Metric.PICK_UP_P99, percentile(nanos, 0.99));
  }

  /** In milliseconds, by the nearest rank. */
  private static double percentile(List<Long> sorted, double fraction) {
    int rank = (int) Math.ceil(fraction * sorted.size());
    return sorted.get(Math.max(0, rank - 1)) / 1e6;
  }

  @Override
  public String report(ReportFiles files, Map<String, Object> context) throws Exception {
    String tables = new ThroughputTables(results).text() + "\n" + new Targets(results).text();
    context.put("failures", failures);
    context.put("results", Json.of(results));
    files.json(context);
    files.svg(new SvgChart(ThroughputPanels.of(results)).text());
    return failures.isEmpty() ? tables : tables + "\nFailed: " + failures + "\n";
  }
}
