package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.benchmarks.contender.Seedable;
import dev.handofffence.benchmarks.process.Answer;
import dev.handofffence.benchmarks.report.Grid;
import dev.handofffence.benchmarks.report.GridTargets;
import dev.handofffence.benchmarks.report.Target;
import dev.handofffence.benchmarks.server.Seed;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Accepts and drains beside many jobs that have ended, and among many that wait. */
final class GrowthRun extends GridRun {

  private static final List<Entry> WANTED =
      List.of(Entry.JDBC_CLAIM_50_COMPLETE_50, Entry.BEST_PEER, Entry.FENCE);

  private final Grid accept;
  private final Grid drain;
  private final Grid pending;

  GrowthRun() {
    this(
        new Grid("accept one by one, beside finished jobs"),
        new Grid("drain, 8 workers, beside finished jobs"),
        new Grid("drain, 8 workers, out of many pending jobs"));
  }

  private GrowthRun(Grid accept, Grid drain, Grid pending) {
    super(accept, drain, pending);
    this.accept = accept;
    this.drain = drain;
    this.pending = pending;
  }

  @Override
  public void run(Bench bench, Settings settings, Progress progress) throws SQLException {
    List<Level> levels = new ArrayList<>();
    try {
      for (Entry entry : settings.only(WANTED)) {
        for (long finished : settings.growth()) {
          if (finished == 0 || keepsWhatHasEnded(entry)) {
            progress.say("seeding " + finished + " finished: " + entry.key());
            levels.add(seed(bench, settings, entry, finished));
          }
        }
      }
      for (int round = 0; round < settings.rounds(); round++) {
        for (Level level : levels) {
          progress.say(
              "round "
                  + (round + 1)
                  + ", "
                  + level.condition()
                  + ": "
                  + level.scene().entry().key());
          measure(bench, settings, level);
        }
      }
    } finally {
      levels.forEach(level -> level.scene().close());
    }
    for (Entry entry : settings.only(WANTED)) {
      pending(bench, settings, progress, entry);
    }
  }

  @Override
  List<Target> targets() {
    String most = condition(Collections.max(Settings.read().growth()));
    return List.of(
        GridTargets.growth(accept, condition(0), most),
        GridTargets.growth(drain, condition(0), most));
  }

  private static String condition(long finished) {
    return "%,d finished".formatted(finished);
  }

  private static Level seed(Bench bench, Settings settings, Entry entry, long finished)
      throws SQLException {
    Scene scene = Scene.open(bench, entry);
    try {
      Seed.insert(scene.database(), seedable(entry).finished(), finished, settings.scopes());
      return new Level(scene, condition(finished));
    } catch (SQLException | RuntimeException e) {
      scene.close();
      throw e;
    }
  }

  private static boolean keepsWhatHasEnded(Entry entry) {
    return !seedable(entry).finished().isEmpty();
  }

  private void measure(Bench bench, Settings settings, Level level) throws SQLException {
    Scene scene = level.scene();
    int jobs = bench.jobs(scene.entry());
    Answer.Accepted accepted = scene.acceptFor(settings.phase());
    accept.add(scene.entry(), level.condition(), accepted.jobsPerSecond());
    scene.fill(jobs);
    double rate = scene.drainAll(Math.toIntExact(accepted.jobs()) + jobs);
    drain.add(scene.entry(), level.condition(), rate);
  }

  private void pending(Bench bench, Settings settings, Progress progress, Entry entry)
      throws SQLException {
    int jobs = bench.jobs(entry);
    try (Scene few = Scene.open(bench, entry);
        Scene many = Scene.open(bench, entry)) {
      String condition =
          "%,d pending in %,d scopes".formatted(settings.pending(), settings.pendingScopes());
      progress.say("seeding " + condition + ": " + entry.key());
      Seed.insert(
          many.database(), seedable(entry).pending(), settings.pending(), settings.pendingScopes());
      for (int round = 0; round < settings.rounds(); round++) {
        progress.say("round " + (round + 1) + ", " + condition + ": " + entry.key());
        few.fill(jobs);
        pending.add(entry, "as many as are drained", few.drainAll(jobs));
        pending.add(entry, condition, many.drainFor(settings.phase(), jobs, many.database()));
      }
    }
  }

  private static Seedable seedable(Entry entry) {
    return (Seedable) entry.contender();
  }

  private record Level(Scene scene, String condition) {}
}
