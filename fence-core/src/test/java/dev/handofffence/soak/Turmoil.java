package dev.handofffence.soak;

import dev.handofffence.CommandId;
import dev.handofffence.OperationResult;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.runtime.EpochChange;
import dev.handofffence.runtime.EpochLockedException;
import dev.handofffence.runtime.ScopeLockedException;
import dev.handofffence.testing.PostgresServer;
import dev.handofffence.work.ScopeCommand;
import dev.handofffence.work.WorkCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;

/** Everything that can go wrong, one after the other, as the seed says. */
final class Turmoil {

  private static final int WORKERS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Stage stage;
  private final PostgresServer server;
  private final Fleet fleet;
  private final Desk desk;
  private final Random random;
  private final Map<Blow, LongSummaryStatistics> struck = new EnumMap<>(Blow.class);

  Turmoil(Stage stage, PostgresServer server, Fleet fleet, long seed) {
    this.stage = stage;
    this.server = server;
    this.fleet = fleet;
    this.desk = new Desk(stage);
    this.random = new Random(seed);
  }

  /** What can happen, and how often in one round. */
  private enum Blow {
    CANCEL(14),
    KILL_WORKER(5),
    PAUSE_WORKER(5),
    DECIDE(3),
    CRASH_SERVER(1),
    RESTART_SERVER(1),
    DISABLE_SCOPE(1),
    ROTATE_EPOCH(1);

    final int times;

    Blow(int times) {
      this.times = times;
    }
  }

  /**
   * Goes on until the time is over.
   *
   * @param check throws when something is wrong that no blow explains
   * @return how often what happened, and how long it took
   */
  String run(Duration time, Runnable check) {
    long endsAt = System.nanoTime() + time.toNanos();
    fleet.start(stage.store(), WORKERS);
    while (System.nanoTime() - endsAt < 0) {
      for (Blow blow : round()) {
        if (System.nanoTime() - endsAt < 0) {
          fleet.resumeDue();
          check.run();
          strikeMeasured(blow);
          Patience.pause(100 + random.nextInt(500));
        }
      }
    }
    return struck.entrySet().stream()
        .map(e -> "%s %s".formatted(e.getKey(), text(e.getValue())))
        .collect(Collectors.joining(", "));
  }

  private void strikeMeasured(Blow blow) {
    long from = System.nanoTime();
    strike(blow);
    struck
        .computeIfAbsent(blow, any -> new LongSummaryStatistics())
        .accept(Duration.ofNanos(System.nanoTime() - from).toMillis());
  }

  private static String text(LongSummaryStatistics millis) {
    return "%d (%.0f ms, at most %d)"
        .formatted(millis.getCount(), millis.getAverage(), millis.getMax());
  }

  private List<Blow> round() {
    List<Blow> round = new ArrayList<>();
    for (Blow blow : Blow.values()) {
      round.addAll(Collections.nCopies(blow.times, blow));
    }
    Collections.shuffle(round, random);
    return round;
  }

  private void strike(Blow blow) {
    switch (blow) {
      case CANCEL -> cancel();
      case KILL_WORKER -> {
        fleet.killOne(random);
        fleet.start(stage.store(), 1);
      }
      case PAUSE_WORKER -> fleet.pauseOne(random, 300 + random.nextInt(3_000));
      case DECIDE -> desk.decideAll();
      case CRASH_SERVER -> server.restart();
      case RESTART_SERVER -> server.restartInOrder();
      case DISABLE_SCOPE -> disableScope();
      case ROTATE_EPOCH -> rotateEpoch();
    }
  }

  /** Mostly one of the newest, which are not over yet. */
  private void cancel() {
    int count = stage.accepted.size();
    if (count > 0) {
      Accepted chosen = stage.accepted.get(count - 1 - random.nextInt(Math.min(count, 60)));
      WorkCommand command =
          WorkCommand.of(chosen.scope(), chosen.work(), newCommand(), "turmoil", "unwanted");
      Patience.ask(() -> stage.operator().cancel(command));
    }
  }

  /** A worker that is paused in a handoff is in the way until the server ends its transaction. */
  private void disableScope() {
    ScopeId scope = stage.anyScope(random);
    ScopeCommand command = ScopeCommand.of(scope, newCommand(), "turmoil", "gone");
    try {
      Patience.ask(() -> stage.operator().disableScope(command, PATIENCE));
      stage.scopes.remove(scope);
      stage.openScope();
    } catch (ScopeLockedException e) {
      // Nothing was changed; it may happen another time.
    }
  }

  private void rotateEpoch() {
    UUID old = stage.store().epoch();
    EpochChange change = EpochChange.of(newId(), "turmoil", "as if restored").within(PATIENCE);
    try {
      OperationResult<StoreIdentity> answer =
          Patience.ask(() -> stage.administration().rotateEpoch(old, change));
      stage.enterEpoch(answer.orElseThrow());
    } catch (EpochLockedException e) {
      return;
    }
    fleet.close();
    fleet.start(stage.store(), WORKERS);
    desk.decideAll();
  }

  private CommandId newCommand() {
    return CommandId.of("turmoil-" + newId());
  }

  private UUID newId() {
    return new UUID(random.nextLong(), random.nextLong());
  }
}
