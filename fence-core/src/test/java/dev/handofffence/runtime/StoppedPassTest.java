package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.CapturedLog;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.testing.PostgresServer;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A store that may not be used, or cannot be reached, is a value of the result. */
@Timeout(60)
class StoppedPassTest {

  private final AtomicInteger sent = new AtomicInteger();
  private final WorkDefinition<String, String> definition =
      PumpScene.definition(ProviderSafety.PROVIDER_KEYED);
  private final WorkExecutorFactory<String, String> sends =
      invocation ->
          (work, cancellation) -> {
            sent.incrementAndGet();
            return WorkExit.succeeded("sent");
          };
  private PumpScene scene;
  private WorkId work;

  @BeforeEach
  void open() {
    scene = new PumpScene();
    work = scene.accept(scene.runtime(definition, sends), definition);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void otherEpoch_doesNothing() {
    StoreIdentity other = StoreIdentity.of(scene.database.store().storeId(), UUID.randomUUID());

    assertStopped(scene.builder().store(other), Problem.EPOCH_MISMATCH);
  }

  @Test
  void otherStore_doesNothing() {
    StoreIdentity other = StoreIdentity.of(UUID.randomUUID(), scene.database.store().epoch());

    assertStopped(scene.builder().store(other), Problem.STORE_MISMATCH);
  }

  @Test
  void schemaOfANewerLibrary_doesNothing() {
    scene.database.execute(
        "UPDATE durable.store SET schema_version = 9, oldest_reader = 9, oldest_writer = 9");

    assertStopped(scene.builder(), Problem.SCHEMA_TOO_NEW);
  }

  @Test
  void unreachableServer_isUnavailable() {
    PGSimpleDataSource nowhere = new PGSimpleDataSource();
    nowhere.setUrl("jdbc:postgresql://localhost:1/nowhere?connectTimeout=2");

    assertStopped(scene.builder().dispatcherDataSource(nowhere), Problem.STORE_UNAVAILABLE);
    assertStopped(scene.builder().runtimeDataSource(nowhere), Problem.STORE_UNAVAILABLE);
  }

  @Test
  void wrongPassword_isUnavailable() {
    DataSource wrong =
        PostgresServer.shared()
            .dataSource(scene.database.name(), "no_such_role_" + UUID.randomUUID(), "wrong");

    assertStopped(scene.builder().dispatcherDataSource(wrong), Problem.STORE_UNAVAILABLE);
  }

  @Test
  void otherIsolationLevel_doesNothing() {
    DataSource repeatable =
        scene.database.runtimeWith("options=-c default_transaction_isolation=repeatable\\ read");

    assertStopped(scene.builder().runtimeDataSource(repeatable), Problem.TRANSACTION_REQUIRED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"preferQueryMode=simple", "prepareThreshold=-1"})
  void unsupportedDriverMode_doesNothingAndIsNamedInTheLog(String option) {
    try (CapturedLog log = CapturedLog.start()) {
      assertStopped(
          scene.builder().runtimeDataSource(scene.database.runtimeWith(option)),
          Problem.TRANSACTION_REQUIRED);

      assertThat(log.text()).contains("DUR101, " + option);
    }
  }

  @Test
  void missingSchema_isNamed() {
    scene.database.execute("DROP SCHEMA durable CASCADE");

    PumpResult result = runtime(scene.builder()).pump().runOnce(PumpPass.of(8));

    assertThat(result.stoppedBy()).contains(Problem.SCHEMA_MISSING);
  }

  @Test
  void missingGrant_isNamed() {
    scene.database.execute(
        "REVOKE UPDATE ON durable.work FROM " + DurableDatabase.RUNTIME + " CASCADE");

    assertStopped(scene.builder(), Problem.SCHEMA_INCONSISTENT);
  }

  @Test
  void epochRotatedDuringTheExecutor_dropsItsReportAndStops() {
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation ->
                (given, cancellation) -> {
                  rotateEpoch();
                  return WorkExit.succeeded("sent");
                });

    PumpResult result = runtime.pump().runOnce(PumpPass.of(8));

    assertThat(result.stoppedBy()).contains(Problem.EPOCH_MISMATCH);
    assertThat(scene.state(work)).isEqualTo("permitted");
  }

  @Test
  void connectionsKilledDuringTheExecutor_costNothing() {
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation ->
                (given, cancellation) -> {
                  killSessions();
                  return WorkExit.succeeded("sent");
                });

    PumpResult result = runtime.pump().runOnce(PumpPass.of(1));

    assertThat(result.succeeded()).isEqualTo(1);
    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  @Test
  void passThatFailsAfterItsFirstPermits_keepsToTheConcurrency() throws Exception {
    AtomicInteger permittedTogether = new AtomicInteger();
    AtomicInteger prepared = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    try (CallerSession locker = CallerSession.open(scene.database.superuser())) {
      DurableRuntime runtime =
          scene
              .builder()
              .concurrency(2)
              .register(
                  definition,
                  invocation -> {
                    if (prepared.incrementAndGet() == 2) {
                      lockOneOfTheClaimed(locker);
                    }
                    return (given, cancellation) -> {
                      int started = sent.incrementAndGet();
                      if (started == 1) {
                        killSessions();
                        go.await();
                      } else if (started == 2) {
                        permittedTogether.set(permitted());
                      }
                      return WorkExit.succeeded("sent");
                    };
                  })
              .build();
      accept(runtime, 1);
      try (CapturedLog log = CapturedLog.start()) {
        Background<PumpResult> first =
            Background.start(() -> runtime.pump().runOnce(PumpPass.of(2)));
        Awaitility.await().until(() -> log.text().contains("Looking for Work fails"));
        locker.commit();
        accept(runtime, 4);

        assertThat(runtime.pump().runOnce(PumpPass.of(4)).succeeded()).isEqualTo(4);

        go.countDown();
        assertThat(first.result().succeeded()).isEqualTo(1);
      }
      assertThat(permittedTogether).hasValue(2);
    }
  }

  @Test
  void failureWithARefusedWork_costsNoPermit() {
    WorkId canceled = accept(scene.runtime(definition, sends), 1).get(0);
    scene.database.execute("REVOKE DELETE ON durable.dispatch FROM " + DurableDatabase.RUNTIME);
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation -> {
              scene.requestCancellation(canceled);
              return (given, cancellation) -> {
                sent.incrementAndGet();
                scene.database.execute(
                    "GRANT DELETE ON durable.dispatch TO " + DurableDatabase.RUNTIME);
                return WorkExit.succeeded("sent");
              };
            });

    runtime.pump().runOnce(PumpPass.of(2));

    assertThat(sent).hasValue(1);
    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  private List<WorkId> accept(DurableRuntime runtime, int works) {
    return IntStream.range(0, works).mapToObj(n -> scene.accept(runtime, definition)).toList();
  }

  private int permitted() {
    return Integer.parseInt(
        scene.database.ask("SELECT count(*) FROM durable.work WHERE state = 'permitted'"));
  }

  private static void lockOneOfTheClaimed(CallerSession locker) throws SQLException {
    locker.execute(
        "SELECT 1 FROM durable.work WHERE state = 'claimed' ORDER BY work_id DESC LIMIT 1 FOR UPDATE");
  }

  @Test
  void poolWithAutocommitOff_worksAndGetsItsConnectionsBackAsTheyWere() throws Exception {
    try (HikariDataSource runtimes = pool(scene.database.runtime());
        HikariDataSource dispatchers = pool(scene.database.dispatcher())) {
      PumpResult result =
          runtime(scene.builder().runtimeDataSource(runtimes).dispatcherDataSource(dispatchers))
              .pump()
              .runOnce(PumpPass.of(8));

      assertThat(result.succeeded()).isEqualTo(1);
      assertThat(runtimes.getHikariPoolMXBean().getActiveConnections()).isZero();
      try (var connection = runtimes.getConnection()) {
        assertThat(connection.getAutoCommit()).isFalse();
        assertThat(connection.getNetworkTimeout()).isZero();
      }
    }
  }

  private static HikariDataSource pool(DataSource source) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setAutoCommit(false);
    config.setMaximumPoolSize(4);
    return new HikariDataSource(config);
  }

  private void assertStopped(DurableRuntimeBuilder builder, Problem problem) {
    PumpResult result = runtime(builder).pump().runOnce(PumpPass.of(8));

    assertThat(result.stoppedBy()).contains(problem);
    assertThat(result.claimed()).isZero();
    assertThat(sent).hasValue(0);
    assertThat(scene.state(work)).isEqualTo("ready");
  }

  private DurableRuntime runtime(DurableRuntimeBuilder builder) {
    return builder.register(definition, sends).build();
  }

  private void rotateEpoch() {
    String epoch = UUID.randomUUID().toString();
    scene.database.execute(
        "BEGIN; INSERT INTO durable.epoch (epoch, actor, reason) VALUES ('%1$s', 'test', 'restored'); UPDATE durable.store SET active_epoch = '%1$s'; COMMIT"
            .formatted(epoch));
  }

  private void killSessions() {
    scene.database.ask(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND usename = '"
            + DurableDatabase.RUNTIME
            + "'");
  }
}
