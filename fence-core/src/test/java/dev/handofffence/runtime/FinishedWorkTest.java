package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.fixture.ManyWorks;
import dev.handofffence.fixture.Waits;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Discovery and claim cost as much with ten million finished Works as with none. Run by {@code mvn
 * -Pscale test}; {@code -Dfence.test.finished} sets how many.
 */
@Tag("scale")
class FinishedWorkTest {

  private static final int FINISHED = Integer.getInteger("fence.test.finished", 10_000_000);
  private static final int AT_ONCE = 500_000;
  private static final int PENDING = 50_000;
  private static final int ROUNDS = 21;

  private final WorkDefinition<String, String> definition =
      PumpScene.definition(ProviderSafety.IDEMPOTENT);
  private PumpScene scene;
  private DiscoveryPlans plans;

  @BeforeEach
  void open() throws SQLException {
    scene = new PumpScene();
    plans = new DiscoveryPlans(scene.database);
  }

  @AfterEach
  void close() throws SQLException {
    plans.close();
    scene.close();
  }

  @Test
  void discoveryAndClaim_costTheSame_withMillionsFinished() throws SQLException {
    ManyWorks.insertReady(
        scene.database,
        definition.name(),
        PENDING,
        "'scope-' || n % 100",
        5,
        "now() - interval '1 hour' + n * interval '1 millisecond'");
    vacuum();
    measure(); // there are leases from now on
    vacuum();
    Cost before = measure();

    for (int left = FINISHED; left > 0; left -= AT_ONCE) {
      ManyWorks.insertFinished(
          scene.database, definition.name(), Math.min(left, AT_ONCE), "'scope-' || n % 100");
      vacuum();
    }
    Cost after = measure();

    String figures = before + " without, " + after + " with " + FINISHED + " finished Works";
    assertThat(after.discoveryPages).as(figures).isLessThanOrEqualTo(before.discoveryPages * 5 / 4);
    assertThat(after.discoveryNanos).as(figures).isLessThan(before.discoveryNanos * 3);
    assertThat(after.claimPages).as(figures).isLessThan(before.claimPages * 2);
  }

  private record Cost(int discoveryPages, long discoveryNanos, int claimPages) {}

  private Cost measure() throws SQLException {
    return new Cost(plans.pages(definition.name()), discoveryNanos(), claimPages());
  }

  private long discoveryNanos() throws SQLException {
    long[] nanos = new long[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long begun = System.nanoTime();
      plans.discover(definition.name());
      nanos[i] = System.nanoTime() - begun;
    }
    Arrays.sort(nanos);
    return nanos[ROUNDS / 2];
  }

  /** Pages of tables and indexes that the claim of a hundred new Works reads. */
  private int claimPages() throws SQLException {
    DurableRuntime runtime = scene.runtime(definition, HostScene.succeeding());
    List<WorkId> works =
        Stream.generate(() -> scene.accept(runtime, definition)).limit(100).toList();
    scene.database.ask("SELECT pg_stat_force_next_flush()");
    scene.database.ask("SELECT pg_stat_reset()");
    try (OtherWorker worker = new OtherWorker(scene)) {
      assertThat(worker.take(works).claimed()).hasSize(works.size());
    }
    Waits.until(
        scene.database,
        "SELECT idx_scan > 0 FROM pg_stat_user_indexes WHERE indexrelname = 'work_pk'");
    return Integer.parseInt(
        scene.database.ask(
            "SELECT sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)"
                + " FROM pg_statio_user_tables WHERE schemaname = 'durable'"));
  }

  private void vacuum() {
    Stream.of("work", "work_snapshot", "dispatch", "permit")
        .forEach(table -> scene.database.execute("VACUUM (ANALYZE) durable." + table));
  }
}
