package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.benchmarks.contender.Phase;
import dev.handofffence.benchmarks.report.Grid;
import dev.handofffence.benchmarks.server.Database;
import dev.handofffence.testing.WireProxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Drains with the server further and further away, behind a proxy that delays what it relays. */
final class LatencyRun extends GridRun {

  private static final List<Duration> ONE_WAY =
      List.of(Duration.ZERO, Duration.ofNanos(500_000), Duration.ofMillis(1), Duration.ofMillis(5));

  private final Grid drain;

  LatencyRun() {
    this(new Grid("drain, 8 workers, through a proxy"));
  }

  private LatencyRun(Grid drain) {
    super(drain);
    this.drain = drain;
  }

  @Override
  public void run(Bench bench, Settings settings, Progress progress) throws SQLException {
    for (int round = 0; round < settings.rounds(); round++) {
      for (Duration delay : ONE_WAY) {
        for (Entry entry : settings.entries()) {
          if (entry.takesPartIn(Phase.DRAIN)) {
            progress.say("round " + (round + 1) + ", " + condition(delay) + ": " + entry.key());
            drain.add(entry, condition(delay), rate(bench, settings, entry, delay));
          }
        }
      }
    }
  }

  private static double rate(Bench bench, Settings settings, Entry entry, Duration delay)
      throws SQLException {
    Database server = bench.server().maintenance();
    int jobs = bench.jobs(entry);
    try (Scene scene = Scene.open(bench, entry);
        WireProxy proxy = WireProxy.start(server.host(), server.port(), delay)) {
      scene.fill(jobs);
      return scene.drainFor(settings.phase(), jobs, scene.database().through(proxy.port()));
    }
  }

  private static String condition(Duration delay) {
    return delay.toNanos() / 1e6 + " ms each way";
  }
}
