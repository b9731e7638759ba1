package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CancellationToken;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.fixture.Waits;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rotation or a migration has to wait for an open handoff transaction. It waits in short slices,
 * so that nobody who renews a lease meanwhile queues up behind it for long.
 */
@Timeout(120)
class WaitingChangeTest {

  private static final LeasePolicy MINUTE =
      LeasePolicy.of(Duration.ofMinutes(1), Duration.ofMinutes(10));
  private static final int RENEWALS = 5;

  private PumpScene scene;
  private OtherWorker worker;
  private CallerSession handoff;
  private int handoffBackend;
  private WorkId work;
  private Claim claim;

  @BeforeEach
  void handOff() throws Exception {
    scene = new PumpScene();
    worker = new OtherWorker(scene);
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT, PumpScene.SOON, MINUTE);
    work = scene.accept(scene.runtime(definition, HostScene.succeeding()), definition);
    claim = worker.claim(work);
    handoff = CallerSession.open(scene.database);
    handoffBackend = handoff.backend();
    PermittedWork.create(scene.database)
        .handOff(handoff.connection(), (tx, token) -> true, CancellationToken.none())
        .orElseThrow();
  }

  @AfterEach
  void close() throws Exception {
    handoff.close();
    worker.close();
    scene.close();
  }

  @Test
  void waitingRotation_stallsNobodysRenewals() throws Exception {
    UUID next = UUID.randomUUID();

    assertRenewalsPassDuring(
        () ->
            StoreAdministration.of(scene.database.owner())
                .rotateEpoch(
                    scene.database.store().epoch(),
                    new EpochChange(next, "deployer", "restored", Duration.ofMinutes(1)))
                .orElseThrow());

    assertThat(scene.database.ask("SELECT active_epoch FROM durable.store"))
        .isEqualTo(next.toString());
    assertThat(scene.state(work)).isEqualTo("claimed");
  }

  @Test
  void waitingMigration_stallsNobodysRenewals(@TempDir Path scripts) throws Exception {
    Files.writeString(
        scripts.resolve("V9999__one_more.sql"),
        """
        SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '60 seconds');
        CREATE TABLE durable.one_more ();
        """);
    Flyway flyway =
        Flyway.configure()
            .configuration(DurableDatabase.flyway(scene.database.superuser()).getConfiguration())
            .locations(StoreAdministration.MIGRATIONS, "filesystem:" + scripts)
            .load();

    assertRenewalsPassDuring(flyway::migrate);

    assertThat(scene.database.ask("SELECT to_regclass('durable.one_more')"))
        .isEqualTo("durable.one_more");
  }

  /** The handoff stays open until all renewals are through: none of them can have waited for it. */
  private void assertRenewalsPassDuring(Callable<?> change) throws Exception {
    Background<?> waiting = Background.start(change);
    for (int i = 0; i < RENEWALS; i++) {
      scene.change("dispatch", work, "lease_expires_at = clock_timestamp() + interval '9 seconds'");
      Waits.untilBlockedBy(scene.database, handoffBackend);
      Background<Duration> renewal = Background.start(() -> worker.renew(claim).orElseThrow());
      assertThat(renewal.result()).isGreaterThan(Duration.ofSeconds(50));
    }
    assertThat(waiting.isDone()).isFalse();
    handoff.commit();
    waiting.result();
  }
}
