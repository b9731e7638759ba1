package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.benchmarks.report.Grid;
import dev.handofffence.benchmarks.server.HeldSnapshot;
import java.sql.SQLException;
import java.util.List;

/**
 * Fills and drains the same database several times, without and with an idle transaction elsewhere
 * that keeps everything which dies from being cleaned up.
 */
final class HeldXminRun extends GridRun {

  private static final int WAVES = 6;
  private static final int QUICK_WAVES = 2;

  private static final List<Entry> WANTED =
      List.of(Entry.JDBC_CLAIM_50_COMPLETE_50, Entry.DB_SCHEDULER, Entry.FENCE);

  private final Grid drain;

  HeldXminRun() {
    this(new Grid("drain, 8 workers, wave after wave in the same database"));
  }

  private HeldXminRun(Grid drain) {
    super(drain);
    this.drain = drain;
  }

  @Override
  public void run(Bench bench, Settings settings, Progress progress) throws SQLException {
    int waves = Boolean.getBoolean("bench.quick") ? QUICK_WAVES : WAVES;
    for (int round = 0; round < settings.rounds(); round++) {
      for (Entry entry : settings.only(WANTED)) {
        progress.say("round " + (round + 1) + ", cleaned up: " + entry.key());
        try (Scene scene = Scene.open(bench, entry)) {
          waves(scene, bench.jobs(entry), waves, "cleaned up");
        }
        progress.say("round " + (round + 1) + ", held xmin: " + entry.key());
        try (Scene scene = Scene.open(bench, entry);
            HeldSnapshot held = HeldSnapshot.open(scene.database())) {
          waves(scene, bench.jobs(entry), waves, "held xmin");
          held.check();
        }
      }
    }
  }

  private void waves(Scene scene, int jobs, int waves, String condition) throws SQLException {
    for (int wave = 1; wave <= waves; wave++) {
      scene.fill(jobs);
      double rate = scene.drainAll(jobs);
      if (wave == 1 || wave == waves) {
        drain.add(scene.entry(), condition + ", wave " + wave, rate);
      }
    }
  }
}
