package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.fixture.ManyWorks;
import dev.handofffence.fixture.Waits;
import dev.handofffence.work.ProviderSafety;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What discovery and claim read does not grow with what waits; {@code -Dfence.test.pending=100000}
 * sets how much that is.
 */
@Timeout(300)
class DiscoveryCostTest {

  private static final int PENDING = Integer.getInteger("fence.test.pending", 20_000);

  private final String contract = PumpScene.definition(ProviderSafety.IDEMPOTENT).name();
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
  void discovery_readsItsIndexesAlone_andAsMuchOfThemWithManyAsWithFew() throws SQLException {
    pend(1_000);
    int few = plans.pages(contract);

    pend(PENDING);

    assertThat(plans.pages(contract)).isLessThan(2 * few);
    assertThat(plans.of(contract))
        .anyMatch(plan -> plan.contains("using dispatch_ready"))
        .anyMatch(plan -> plan.contains("using dispatch_leased"))
        .anyMatch(plan -> plan.contains("using dispatch_lane"))
        .allSatisfy(DiscoveryCostTest::readsIndexesAlone)
        .noneMatch(plan -> plan.matches("(?s).*Heap Fetches: [1-9].*"));
  }

  /** Statistics of a queue are those of its quiet hours. */
  @ParameterizedTest
  @ValueSource(ints = {3, 5_000})
  void plansThatWereMadeForAnotherTable_areAsGoodForThisOne(int rows) throws SQLException {
    insert(rows, "'one-tenant'");
    analyze();
    for (int i = 0; i < 8; i++) {
      plans.discover(contract);
    }
    insert(10_000);

    assertThat(plans.pages(contract)).isLessThan(2_000);
    assertThat(plans.of(contract)).isNotEmpty().allSatisfy(DiscoveryCostTest::readsIndexesAlone);
  }

  @Test
  void claim_readsPrimaryKeysAlone() throws SQLException {
    pend(PENDING);
    List<WorkId> works = works(20);
    scene.database.ask("SELECT pg_stat_force_next_flush()");
    scene.database.ask("SELECT pg_stat_reset()");

    try (OtherWorker worker = new OtherWorker(scene)) {
      assertThat(worker.take(works).claimed()).hasSize(works.size());
    }
    Waits.until(
        scene.database,
        "SELECT idx_scan > 0 FROM pg_stat_user_indexes WHERE indexrelname = 'work_pk'");

    assertThat(
            scene.database.ask(
                "SELECT coalesce(sum(seq_scan), 0) FROM pg_stat_user_tables WHERE schemaname = 'durable'"
                    + " AND relname IN ('work', 'work_snapshot', 'dispatch', 'permit', 'work_event')"))
        .isEqualTo("0");
    assertThat(
            scene.database.ask(
                "SELECT string_agg(indexrelname, ' ' ORDER BY indexrelname) FROM pg_stat_user_indexes"
                    + " WHERE schemaname = 'durable' AND idx_scan > 0 AND indexrelname NOT LIKE '%\\_pk'"))
        .isEqualTo("null");
    assertThat(
            Integer.parseInt(
                scene.database.ask(
                    "SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = 'durable'")))
        .as("index entries that were read")
        .isLessThanOrEqualTo(12 * works.size());
  }

  private static void readsIndexesAlone(String plan) {
    assertThat(plan)
        .contains("Index Only Scan")
        .doesNotContain("Seq Scan", "Bitmap", "Index Scan", "JIT:");
  }

  private void pend(int works) {
    insert(works);
    analyze();
  }

  /** Until all pages are visible to everybody: a session elsewhere can be in the way of that. */
  private void analyze() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              scene.database.execute("VACUUM (ANALYZE) durable.dispatch");
              return scene
                  .database
                  .ask(
                      "SELECT relallvisible = relpages FROM pg_class WHERE oid = 'durable.dispatch'::regclass")
                  .equals("t");
            });
    scene.database.execute("ANALYZE durable.work, durable.work_snapshot");
  }

  /** In a hundred scopes, one of which is the tenant of the tests. */
  private void insert(int works) {
    insert(
        works,
        "CASE n %% 100 WHEN 0 THEN '%s' ELSE 'scope-' || n %% 100 END"
            .formatted(PumpScene.TENANT.value()));
  }

  private void insert(int works, String scope) {
    ManyWorks.insertReady(
        scene.database,
        contract,
        works,
        scope,
        5,
        "now() - interval '1 hour' + n * interval '1 millisecond'");
  }

  private List<WorkId> works(int count) {
    String ids =
        scene.database.ask(
            "SELECT string_agg(work_id::text, ',') FROM (SELECT work_id FROM durable.dispatch WHERE scope_id = '%s' LIMIT %d) AS d"
                .formatted(PumpScene.TENANT.value(), count));
    return Stream.of(ids.split(",")).map(UUID::fromString).map(WorkId::new).toList();
  }
}
