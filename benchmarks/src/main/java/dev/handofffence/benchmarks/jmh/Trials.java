package dev.handofffence.benchmarks.jmh;

import dev.handofffence.benchmarks.server.Database;
import java.nio.file.Path;
import java.util.Collection;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs the benchmarks of this package, with the allocation per operation. */
public final class Trials {

  private Trials() {}

  /**
   * Runs them.
   *
   * @param database with our schema, and nothing in it
   * @param quick only shows that they work
   * @param json where JMH writes its own report
   */
  public static Collection<RunResult> run(Database database, boolean quick, Path json)
      throws RunnerException {
    TimeValue time = quick ? TimeValue.milliseconds(200) : TimeValue.seconds(2);
    return new Runner(
            new OptionsBuilder()
                .include(Trials.class.getPackageName() + ".*")
                .addProfiler(GCProfiler.class)
                .jvmArgsAppend(TrialDatabase.arguments(database))
                .forks(quick ? 1 : 3)
                .warmupIterations(quick ? 1 : 5)
                .warmupTime(time)
                .measurementIterations(quick ? 1 : 5)
                .measurementTime(time)
                .shouldFailOnError(true)
                .resultFormat(ResultFormatType.JSON)
                .result(json.toString())
                .build())
        .run();
  }
}
