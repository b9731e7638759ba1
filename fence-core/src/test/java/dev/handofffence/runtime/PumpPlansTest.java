package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.sql.SQLException;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server keeps the plans of the pump's statements, also those that it made for few rows. */
@Timeout(60)
class PumpPlansTest {

  private static final int WORKS = 300;
  private static final int LEASES = 20;

  private final WorkDefinition<String, String> definition =
      PumpScene.definition(ProviderSafety.PROVIDER_KEYED);

  @Test
  void pump_readsRowsByTheirKeys_whateverItsPlansWereMadeFor() {
    try (PumpScene scene = new PumpScene()) {
      drainOnKeptConnections(scene);

      await().until(() -> read(scene, "idx_tup_fetch") > WORKS);
      assertThat(read(scene, "seq_tup_read")).isZero();
    }
  }

  @Test
  void pump_readsNoMorePermitsThanItHas_howeverManyThereAre() {
    try (PumpScene scene = new PumpScene()) {
      drainOnKeptConnections(scene);

      await().until(() -> read(scene, "idx_tup_fetch") > WORKS);
      assertThat(
              Integer.parseInt(
                  scene.database.ask(
                      "SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'permit_pk'")))
          .isLessThanOrEqualTo(2 * WORKS);
    }
  }

  @Test
  void renewal_findsLeasesByTheirKeys_alsoWhenPlannedWhileNothingWasLeased() throws SQLException {
    try (PumpScene scene = new PumpScene()) {
      DurableRuntime runtime = scene.runtime(definition, HostScene.succeeding());
      IntStream.range(0, 3).forEach(n -> scene.accept(runtime, definition));
      scene.database.execute("VACUUM ANALYZE durable.dispatch");
      try (OtherWorker worker = new OtherWorker(scene)) {
        for (int n = 0; n < LEASES; n++) {
          Claim claim = worker.claim(scene.accept(runtime, definition));
          assertThat(worker.renew(claim)).isPresent();
        }
      }

      await().until(() -> indexReads(scene, "dispatch_pk") >= 2 * LEASES);
      assertThat(indexReads(scene, "dispatch_leased")).isZero();
    }
  }

  private static int indexReads(PumpScene scene, String index) {
    return Integer.parseInt(
        scene.database.ask(
            "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = '%s'"
                .formatted(index)));
  }

  private void drainOnKeptConnections(PumpScene scene) {
    try (HikariDataSource runtimes = pool(scene.database.runtime())) {
      DurableRuntime runtime =
          scene
              .builder()
              .runtimeDataSource(runtimes)
              .register(
                  definition, invocation -> (given, cancellation) -> WorkExit.succeeded("sent"))
              .build();
      IntStream.range(0, WORKS).forEach(n -> scene.accept(runtime, definition));

      assertThat(runtime.pump().runOnce(PumpPass.of(WORKS)).succeeded()).isEqualTo(WORKS);
    }
  }

  private static long read(PumpScene scene, String counter) {
    return Long.parseLong(
        scene.database.ask(
            """
            SELECT sum(%s) FROM pg_stat_user_tables
            WHERE schemaname = 'durable'
              AND relname IN ('work', 'work_snapshot', 'dispatch', 'permit', 'work_result')
            """
                .formatted(counter)));
  }

  private static HikariDataSource pool(DataSource source) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(4);
    return new HikariDataSource(config);
  }
}
