package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.ManyWorks;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Acceptance, discovery and claim cost as much with ten million finished Works as with none. Run by
 * {@code mvn -Pscale test}; {@code -Dfence.test.finished} sets how many, and the figures are in the
 * output of the test.
 */
@Tag("scale")
class FinishedWorkTest {

  private static final int FINISHED = Integer.getInteger("fence.test.finished", 10_000_000);
  private static final int PENDING = Integer.getInteger("fence.test.pending", 100_000);
  private static final int AT_ONCE = 500_000;
  private static final String SCOPE = "'scope-' || n % 100";

  private final WorkDefinition<String, String> definition =
      PumpScene.definition(ProviderSafety.IDEMPOTENT);
  private PumpScene scene;
  private WorkCosts costs;

  @BeforeEach
  void open() throws SQLException {
    scene = new PumpScene();
    costs = new WorkCosts(scene, definition);
  }

  @AfterEach
  void close() throws SQLException {
    costs.close();
    scene.close();
  }

  @Test
  void acceptance_discovery_andClaim_costTheSame_withMillionsFinished() throws SQLException {
    pend(1_000);
    measure("1,000 pending, warming up");
    measure("1,000 pending");
    pend(PENDING - 1_000);
    WorkCosts.Cost before = measure(PENDING + " pending, none finished");
    finish(FINISHED / 10);
    measure(PENDING + " pending, " + FINISHED / 10 + " finished");
    finish(FINISHED - FINISHED / 10);
    WorkCosts.Cost after = measure(PENDING + " pending, " + FINISHED + " finished");

    assertThat(after.discovery().pages()).isLessThanOrEqualTo(before.discovery().pages() * 5 / 4);
    assertThat(after.discovery().micros()).isLessThan(before.discovery().micros() * 3);
    assertThat(after.claim().pages()).isLessThan(before.claim().pages() * 2);
    assertThat(after.acceptance().pages()).isLessThan(before.acceptance().pages() * 3 / 2);
    assertThat(after.acceptance().micros()).isLessThan(before.acceptance().micros() * 3);
  }

  private void pend(int works) {
    ManyWorks.insertReady(
        scene.database,
        definition.name(),
        works,
        SCOPE,
        5,
        "now() - interval '1 hour' + n * interval '1 millisecond'");
  }

  /** Dispatch is cleaned as often as autovacuum would: its rows come and go all the time. */
  private void finish(int works) {
    for (int left = works; left > 0; left -= AT_ONCE) {
      ManyWorks.insertFinished(scene.database, definition.name(), Math.min(left, AT_ONCE), SCOPE);
      scene.database.execute("VACUUM durable.dispatch");
    }
  }

  private WorkCosts.Cost measure(String when) throws SQLException {
    Stream.of(
            "work",
            "work_snapshot",
            "work_identity",
            "work_event",
            "work_result",
            "dispatch",
            "permit")
        .forEach(table -> scene.database.execute("VACUUM (ANALYZE) durable." + table));
    scene.database.execute("CHECKPOINT");
    WorkCosts.Cost cost = costs.measure();
    System.out.println(when + ": " + cost);
    return cost;
  }
}
