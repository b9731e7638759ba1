package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.fixture.Waits;
import dev.handofffence.work.WorkDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What acceptance, discovery and claim of one contract cost just now. */
final class WorkCosts implements AutoCloseable {

  private static final int DISCOVERIES = 101;
  private static final int WORKS = 500;
  private static final int CLAIMED_TOGETHER = 20;

  private final PumpScene scene;
  private final WorkDefinition<String, String> definition;
  private final DiscoveryPlans plans;
  private final DurableRuntime runtime;

  WorkCosts(PumpScene scene, WorkDefinition<String, String> definition) throws SQLException {
    this.scene = scene;
    this.definition = definition;
    this.plans = new DiscoveryPlans(scene.database);
    this.runtime = scene.runtime(definition, HostScene.succeeding());
  }

  /** Pages of tables and indexes that were asked for, and the median of the time. */
  record Step(int pages, long micros) {}

  /**
   * Of one discovery for 32 places, of one acceptance, and of one claim of many Works.
   *
   * @param acceptance in the caller's transaction, without its commit
   */
  record Cost(Step discovery, Step acceptance, Step claim) {}

  Cost measure() throws SQLException {
    Step discovery = discovery();
    List<WorkId> works = new ArrayList<>();
    Step acceptance = acceptance(works);
    return new Cost(discovery, acceptance, claim(works));
  }

  private Step discovery() throws SQLException {
    long[] nanos = new long[DISCOVERIES];
    for (int i = 0; i < nanos.length; i++) {
      long begun = System.nanoTime();
      plans.discover(definition.name());
      nanos[i] = System.nanoTime() - begun;
    }
    return new Step(plans.pages(definition.name()), median(nanos) / 1_000);
  }

  private Step acceptance(List<WorkId> works) throws SQLException {
    long[] nanos = new long[WORKS];
    long[] pages = new long[WORKS];
    try (Connection transaction = scene.database.runtime().getConnection()) {
      transaction.setAutoCommit(false);
      for (int i = 0; i < nanos.length; i++) {
        var request = PumpScene.request(definition, PumpScene.TENANT);
        long pagesBefore = pagesOf(transaction);
        long begun = System.nanoTime();
        works.add(runtime.work().accept(transaction, request).orElseThrow().workId());
        nanos[i] = System.nanoTime() - begun;
        pages[i] = pagesOf(transaction) - pagesBefore;
        transaction.commit();
      }
    }
    return new Step((int) median(pages), median(nanos) / 1_000);
  }

  /** Of the session since its last report, which it makes between transactions. */
  private static long pagesOf(Connection transaction) throws SQLException {
    try (var statement = transaction.createStatement();
        var row =
            statement.executeQuery(
                "SELECT sum(pg_stat_get_xact_blocks_fetched(oid)) FROM pg_class"
                    + " WHERE relnamespace = 'durable'::regnamespace")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Each in a transaction of its own, so the pages are known when the worker is gone. */
  private Step claim(List<WorkId> works) throws SQLException {
    scene.database.ask("SELECT pg_stat_force_next_flush()");
    scene.database.ask("SELECT pg_stat_reset()");
    int claims = works.size() / CLAIMED_TOGETHER;
    long[] nanos = new long[claims];
    try (OtherWorker worker = new OtherWorker(scene)) {
      for (int i = 0; i < claims; i++) {
        var together = works.subList(i * CLAIMED_TOGETHER, (i + 1) * CLAIMED_TOGETHER);
        long begun = System.nanoTime();
        assertThat(worker.take(together).claimed()).hasSize(CLAIMED_TOGETHER);
        nanos[i] = System.nanoTime() - begun;
      }
    }
    return new Step(claimPages() / claims, median(nanos) / 1_000);
  }

  private int claimPages() {
    Waits.until(
        scene.database,
        "SELECT idx_scan > 0 FROM pg_stat_user_indexes WHERE indexrelname = 'work_pk'");
    return Integer.parseInt(
        scene.database.ask(
            "SELECT sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)"
                + " FROM pg_statio_user_tables WHERE schemaname = 'durable'"));
  }

  private static long median(long[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  @Override
  public void close() throws SQLException {
    plans.close();
  }
}
