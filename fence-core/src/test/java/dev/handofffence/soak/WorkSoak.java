package dev.handofffence.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.NoticeTables;
import dev.handofffence.testing.PostgresServer;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Work under turmoil: workers are killed and paused, the server crashes, Work is canceled, scopes
 * are disabled, epochs are rotated, and in the end the history is looked through.
 *
 * <p>No part of the usual build: {@code mvn -Psoak -pl fence-core -am -Dsoak.minutes=10}; {@code
 * -Dsoak.seed} repeats the decisions of an earlier run, though not its timing.
 */
class WorkSoak {

  private static final Duration DRAIN = Duration.ofMinutes(5);

  private final Duration time =
      Duration.ofMillis(
          (long) (Double.parseDouble(System.getProperty("soak.minutes", "10")) * 60_000));
  private final long seed =
      Long.parseLong(
          System.getProperty("soak.seed", Long.toString(new Random().nextInt(1_000_000))));

  @Test
  void history_isSoundAfterTurmoil() throws Exception {
    report("seed " + seed + ", " + time + "; repeat with -Dsoak.seed=" + seed);
    try (PostgresServer server = PostgresServer.startDurable();
        DurableDatabase database = DurableDatabase.create(server)) {
      NoticeTables.create(database);
      try (Stage stage = new Stage(database);
          Fleet fleet = new Fleet(database, seed)) {
        Traffic traffic = new Traffic(stage, seed);
        Background<Integer> commands = Background.start(traffic::run);
        Turmoil turmoil = new Turmoil(stage, server, fleet, seed);
        report("struck: " + turmoil.run(time, () -> check(fleet, commands)));
        traffic.stop();
        report("commands of acceptance: " + commands.result());
        settle(stage, fleet);
        stage.writeDownAccepted();
      }
      report("Works: " + summary(database));
      report("History: " + events(database));
      assertThat(new HistoryChecker(database::ask).findings()).as("seed %d", seed).isEmpty();
    }
  }

  private static void check(Fleet fleet, Background<?> commands) {
    fleet.check();
    if (commands.isDone()) {
      throw new AssertionError("Acceptance has ended", failureOf(commands));
    }
  }

  private static Throwable failureOf(Background<?> ended) {
    try {
      return new IllegalStateException("with " + ended.result());
    } catch (Exception | AssertionError e) {
      return e;
    }
  }

  /** Fresh workers and the operators take what is left to its end. */
  private static void settle(Stage stage, Fleet fleet) {
    fleet.close();
    fleet.start(stage.store(), 2);
    Desk desk = new Desk(stage);
    long giveUpAt = System.nanoTime() + DRAIN.toNanos();
    while (desk.decideAll() > 0 || !isDrained(stage.database)) {
      fleet.check();
      if (System.nanoTime() - giveUpAt > 0) {
        throw new AssertionError(
            "Work is left over: " + summary(stage.database) + "; " + fleet.output());
      }
      Patience.pause(500);
    }
  }

  private static boolean isDrained(DurableDatabase database) {
    return database.ask("SELECT count(*) = 0 FROM durable.dispatch").equals("t");
  }

  private static String summary(DurableDatabase database) {
    return database.ask(
        """
        SELECT string_agg(format('%s %s', kind, works), ', ' ORDER BY kind)
        FROM (SELECT concat_ws('/', state, suspend_reason) AS kind, count(*) AS works
              FROM durable.work GROUP BY 1
              UNION ALL SELECT 'attempts', count(*) FROM durable.work_history WHERE event = 'claimed'
              UNION ALL SELECT 'effects', count(*) FROM app.effect
              UNION ALL SELECT 'quarantined', count(*) FROM durable.work_history
                        WHERE event = 'quarantined') s
        """);
  }

  private static String events(DurableDatabase database) {
    return database.ask(
        """
        SELECT string_agg(format('%s %s', kind, entries), ', ' ORDER BY entries DESC, kind)
        FROM (SELECT concat_ws(':', event, code) AS kind, count(*) AS entries
              FROM durable.work_history GROUP BY 1) s
        """);
  }

  static void report(String line) {
    System.out.printf("[soak %tT] %s%n", LocalTime.now(ZoneId.systemDefault()), line);
  }
}
