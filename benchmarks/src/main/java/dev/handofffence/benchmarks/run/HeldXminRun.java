package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.benchmarks.report.Grid;
import dev.handofffence.benchmarks.report.GridTargets;
import dev.handofffence.benchmarks.report.Target;
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

  private static final String CLEANED_UP = "cleaned up";
  private static final String HELD = "held xmin";

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
    int jobs = leastPerPhase(bench, settings);
    for (int round = 0; round < settings.rounds(); round++) {
      for (Entry entry : settings.only(WANTED)) {
        progress.say(
            "round " + (round + 1) + ", " + jobs + " jobs a wave, cleaned up: " + entry.key());
        try (Scene scene = Scene.open(bench, entry)) {
          waves(scene, jobs, CLEANED_UP);
        }
        progress.say("round " + (round + 1) + ", held xmin: " + entry.key());
        try (Scene scene = Scene.open(bench, entry);
            HeldSnapshot held = HeldSnapshot.open(scene.database())) {
          waves(scene, jobs, HELD);
          held.check();
        }
      }
    }
  }

  /** What has died grows with the jobs, so nobody may have more of them than another. */
  private static int leastPerPhase(Bench bench, Settings settings) throws SQLException {
    int least = Integer.MAX_VALUE;
    for (Entry entry : settings.only(WANTED)) {
      least = Math.min(least, bench.jobs(entry));
    }
    return least;
  }

  private void waves(Scene scene, int jobs, String condition) throws SQLException {
    int waves = waves();
    for (int wave = 1; wave <= waves; wave++) {
      scene.fill(jobs);
      double rate = scene.drainAll(jobs);
      if (wave == 1 || wave == waves) {
        drain.add(scene.entry(), condition(condition, wave), rate);
      }
    }
  }

  private static int waves() {
    return Boolean.getBoolean("bench.quick") ? QUICK_WAVES : WAVES;
  }

  private static String condition(String held, int wave) {
    return held + ", wave " + wave;
  }

  @Override
  List<Target> targets() {
    return List.of(
        GridTargets.heldXmin(drain, condition(CLEANED_UP, waves()), condition(HELD, waves())));
  }
}
