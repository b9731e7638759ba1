package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.process.Answer;
import dev.handofffence.benchmarks.server.ServerMeter;
import java.util.OptionalDouble;

/** What a drain took. */
record DrainFigures(Answer.Drained run, ServerMeter.Spent spent) {

  double jobsPerSecond() {
    return run.jobsPerSecond();
  }

  /** Without the queries that only asked whether it was over. */
  double commitsPerJob() {
    return (double) (spent.commits() - run.polls()) / run.jobs();
  }

  double writingCommitsPerJob() {
    return (double) spent.writingCommits() / run.jobs();
  }

  double walBytesPerJob() {
    return (double) (spent.walBytes() - spent.fullPageBytes()) / run.jobs();
  }

  double fullPageBytesPerJob() {
    return (double) spent.fullPageBytes() / run.jobs();
  }

  double jvmCpuPerThousand() {
    return run.cpuNanos() / 1e9 * 1_000 / run.jobs();
  }

  OptionalDouble serverCpuPerThousand() {
    return spent.cpuSeconds().isPresent()
        ? OptionalDouble.of(spent.cpuSeconds().getAsDouble() * 1_000 / run.jobs())
        : OptionalDouble.empty();
  }
}
