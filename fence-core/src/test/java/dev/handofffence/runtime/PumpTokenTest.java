package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.Problem;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.GatedConnections;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An executor is told when it should stop, and kept alive as long as it need not. */
@Timeout(30)
class PumpTokenTest {

  private static final LeasePolicy SHORT =
      LeasePolicy.of(Duration.ofMillis(1500), Duration.ofMinutes(10));

  private static PumpScene scene;

  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final WorkDefinition<String, String> definition =
      PumpScene.definition(ProviderSafety.PROVIDER_KEYED, PumpScene.SOON, SHORT);
  private final WorkExecutorFactory<String, String> executors =
      invocation ->
          (given, cancellation) -> {
            running.countDown();
            return awaitEnd(cancellation);
          };
  private DurableRuntime runtime;
  private WorkId work;

  @BeforeAll
  static void open() {
    scene = new PumpScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @BeforeEach
  void accept() {
    runtime = scene.runtime(definition, executors);
    work = scene.accept(runtime, definition);
  }

  @Test
  void lease_isRenewedForAsLongAsTheExecutorRuns() throws Exception {
    CompletableFuture<PumpResult> pass = start(CancellationToken.none());
    String granted = leaseEnd();

    // Well past the lease: it would have ended without renewals.
    Awaitility.await()
        .until(
            () ->
                scene.database.ask(
                    "SELECT lease_expires_at > '%s'::timestamptz + interval '1500 ms' FROM durable.dispatch WHERE work_id = '%s'"
                        .formatted(granted, work)),
            "t"::equals);
    mayEnd.countDown();

    assertThat(pass.get().succeeded()).isEqualTo(1);
    assertThat(scene.state(work)).isEqualTo("succeeded");
  }

  @Test
  void token_firesWhenTheLeaseIsLost() throws Exception {
    CompletableFuture<PumpResult> pass = start(CancellationToken.none());

    scene.expireLease(work);

    assertThat(pass.get().quarantined()).isEqualTo(1);
    assertThat(scene.history(work)).endsWith("quarantined:stopped");
    assertThat(scene.state(work)).isEqualTo("permitted");
  }

  @Test
  void token_firesAtTheEndOfTheLease_whileTheTripOfTheRenewalHangs() throws Exception {
    GatedConnections gated =
        new GatedConnections(scene.database.runtime(), "handoff-fence-leases"::equals);
    runtime = scene.builder().runtimeDataSource(gated).register(definition, executors).build();
    gated.hold();
    CompletableFuture<PumpResult> pass = start(CancellationToken.none());

    Awaitility.await().until(() -> scene.history(work), h -> h.endsWith("quarantined:stopped"));

    gated.open();
    assertThat(pass.get().quarantined()).isEqualTo(1);
  }

  /** Nothing of the old epoch may be recorded any more, so nobody should go on in it. */
  @Test
  void token_firesWhenTheEpochWasRotated() throws Exception {
    try (PumpScene rotated = new PumpScene()) {
      runtime = rotated.runtime(definition, executors);
      rotated.accept(runtime, definition);
      CompletableFuture<PumpResult> pass = start(CancellationToken.none());

      StoreAdministration.of(rotated.database.owner())
          .rotateEpoch(
              rotated.database.store().epoch(),
              EpochChange.of(UUID.randomUUID(), "dora", "restored"))
          .orElseThrow();

      assertThat(pass.get().stoppedBy()).contains(Problem.EPOCH_MISMATCH);
    }
  }

  @Test
  void token_firesWhenCancellationWasRequested() throws Exception {
    CompletableFuture<PumpResult> pass = start(CancellationToken.none());

    scene.requestCancellation(work);

    assertThat(pass.get().ended()).isEqualTo(1);
    assertThat(scene.state(work)).isEqualTo("canceled");
  }

  @Test
  void token_firesWhenThePassIsCancelled() throws Exception {
    CancellationSource shutdown = new CancellationSource();
    CompletableFuture<PumpResult> pass = start(shutdown.token());

    shutdown.cancel();

    assertThat(pass.get().retried()).isEqualTo(1);
    assertThat(scene.state(work)).isEqualTo("ready");
  }

  @Test
  void token_firesAtTheDeadline() throws Exception {
    scene.change("work", work, "deadline_at = clock_timestamp() + interval '1 second'");
    CompletableFuture<PumpResult> pass = start(CancellationToken.none());

    assertThat(pass.get().quarantined()).isEqualTo(1);
    assertThat(
            scene.database.ask(
                "SELECT deadline_at <= clock_timestamp() FROM durable.work WHERE work_id = '%s'"
                    .formatted(work)))
        .isEqualTo("t");
  }

  @Test
  void cancelledPass_claimsNothing() {
    CancellationSource shutdown = new CancellationSource();
    shutdown.cancel();

    assertThat(runtime.pump().runOnce(PumpPass.of(8), shutdown.token()).claimed()).isZero();
    assertThat(scene.state(work)).isEqualTo("ready");
  }

  private CompletableFuture<PumpResult> start(CancellationToken token) throws InterruptedException {
    CompletableFuture<PumpResult> pass =
        Background.supply(() -> runtime.pump().runOnce(PumpPass.of(1), token));
    assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
    return pass;
  }

  private String leaseEnd() {
    return scene.database.ask(
        "SELECT lease_expires_at FROM durable.dispatch WHERE work_id = '%s'".formatted(work));
  }

  private WorkExit<String> awaitEnd(CancellationToken cancellation) throws InterruptedException {
    while (!mayEnd.await(10, TimeUnit.MILLISECONDS)) {
      if (cancellation.isCancelled()) {
        return WorkExit.retryBeforeEffect("stopped");
      }
    }
    return WorkExit.succeeded("sent");
  }
}
