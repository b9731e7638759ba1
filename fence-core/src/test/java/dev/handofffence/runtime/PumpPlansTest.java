package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server keeps the plans of the pump's statements, also those that it made for few rows. */
@Timeout(60)
class PumpPlansTest {

  private static final int WORKS = 300;

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
