package dev.handofffence.benchmarks.report;

import static dev.handofffence.benchmarks.contender.Entry.BEST_PEER;
import static dev.handofffence.benchmarks.contender.Entry.FENCE;
import static dev.handofffence.benchmarks.contender.Entry.FENCE_HANDOFF;
import static dev.handofffence.benchmarks.contender.Entry.FENCE_TRANSACTION;
import static dev.handofffence.benchmarks.contender.Entry.JDBC_NOTIFY;

import dev.handofffence.benchmarks.contender.Entry;
import java.util.List;
import java.util.OptionalDouble;

/** What a throughput run of this library has to show, beside the others in the same run. */
public final class Targets {

  private static final double WAL_BYTES = 3_000;

  private final Results results;

  public Targets(Results results) {
    this.results = results;
  }

  /** Returns a table with a verdict for each. */
  public String text() {
    return Target.table(all());
  }

  List<Target> all() {
    return List.of(
        Target.atLeast("drain, 8 workers, to the best peer", 2, toPeer(FENCE, Metric.DRAIN_8)),
        Target.atLeast("drain, 32 workers, to the best peer", 2, toPeer(FENCE, Metric.DRAIN_32)),
        Target.atLeast(
            "drain with a handoff, 8 workers, to the same transaction without a fence",
            0.65,
            results.ratio(FENCE_HANDOFF, FENCE_TRANSACTION, Metric.DRAIN_8)),
        Target.atLeast(
            "drain with a handoff, 32 workers, to the same transaction without a fence",
            0.65,
            results.ratio(FENCE_HANDOFF, FENCE_TRANSACTION, Metric.DRAIN_32)),
        Target.atLeast(
            "drain with a handoff, 8 workers, to the best peer's no-op",
            0.4,
            toPeer(FENCE_HANDOFF, Metric.DRAIN_8)),
        Target.atLeast(
            "drain with a handoff, 32 workers, to the best peer's no-op",
            0.4,
            toPeer(FENCE_HANDOFF, Metric.DRAIN_32)),
        Target.atLeast("accept one by one, to the best peer", 1, toPeer(FENCE, Metric.ACCEPT_ONE)),
        Target.atLeast(
            "accept in batches, to the best peer", 0.35, toPeer(FENCE, Metric.ACCEPT_BATCH)),
        Target.atMost(
            "idle pick-up p50, to plain JDBC with NOTIFY",
            1.5,
            results.ratio(FENCE, JDBC_NOTIFY, Metric.PICK_UP_P50)),
        Target.atMost(
            "WAL bytes per job from accept to end, without full-page images",
            WAL_BYTES,
            sum(FENCE, Metric.ACCEPT_WAL, Metric.DRAIN_WAL)),
        Target.atMost("CPU per drained job, to the best peer", 1, cpuToPeer()));
  }

  private OptionalDouble toPeer(Entry entry, Metric metric) {
    return results.ratio(entry, BEST_PEER, metric);
  }

  private OptionalDouble cpuToPeer() {
    OptionalDouble ours = sum(FENCE, Metric.JVM_CPU, Metric.SERVER_CPU);
    OptionalDouble theirs = sum(BEST_PEER, Metric.JVM_CPU, Metric.SERVER_CPU);
    return ours.isPresent() && theirs.isPresent()
        ? OptionalDouble.of(ours.getAsDouble() / theirs.getAsDouble())
        : OptionalDouble.empty();
  }

  private OptionalDouble sum(Entry entry, Metric first, Metric second) {
    OptionalDouble one = results.median(entry, first);
    OptionalDouble other = results.median(entry, second);
    return one.isPresent() && other.isPresent()
        ? OptionalDouble.of(one.getAsDouble() + other.getAsDouble())
        : OptionalDouble.empty();
  }
}
