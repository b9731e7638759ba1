package dev.handofffence.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.Problem;
import dev.handofffence.fixture.Background;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.PumpResult;
import dev.handofffence.work.ProviderSafety;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Proof 27: a worker that was paused past its lease (SIGSTOP, SIGCONT) is refused by its fences,
 * and its reports change nothing.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it cannot stop a process from outside")
class PausedWorkerTest {

  private final CrashScene scene = new CrashScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void workerPausedBeforeItsPermits_getsNone() {
    scene.acceptAll();
    try (WorkerProcess worker = paused(Stop.CLAIMED, 1, 1, 100)) {
      assertThat(scene.rescue().succeeded()).isEqualTo(4);
      worker.resume();

      assertThat(worker.next(3)).containsOnly("at CLAIMED"); // the other three, which do not stop
      assertThat(worker.next()).contains("invoked=0", "quarantined=0");
    }
    for (ProviderSafety safety : ProviderSafety.values()) {
      assertThat(scene.state(safety)).isEqualTo("succeeded");
      assertThat(scene.permits(safety)).isEqualTo("applied");
      assertThat(scene.effects(safety)).isEqualTo(1);
    }
  }

  /** Nobody takes a Work over while its handoff is open; but a lease that is over stays so. */
  @Test
  void workerPausedInItsHandoff_keepsItsWorksUntilItHasCommitted() {
    scene.acceptAll();
    try (WorkerProcess worker = paused(Stop.DECIDED, 4, 1, 100)) {
      PumpResult tried = scene.rescue();
      assertThat(tried.claimed()).isZero();
      assertThat(tried.suspended()).isZero();
      worker.resume();

      assertThat(worker.next()).contains("quarantined=4", "succeeded=0");
    }
    scene.rescue();
    assertEnded(ProviderSafety.IDEMPOTENT, "succeeded", 2);
    assertEnded(ProviderSafety.PROVIDER_KEYED, "succeeded", 2);
    assertEnded(ProviderSafety.RECONCILE_BEFORE_RETRY, "suspended/reconciliation_required", 1);
    assertEnded(ProviderSafety.MANUAL_RESOLUTION, "suspended/manual_resolution", 1);
  }

  /**
   * A worker that does not ask its token before it sends: the activity id, its provider's key, is
   * what makes that safe, and where it is not, the Work was not tried again.
   */
  @Test
  void workerPausedBehindItsHandoff_sendsUnderTheSameKeyAndEndsNothing() {
    scene.acceptAll();
    try (WorkerProcess worker = paused(Stop.HANDED_OFF, 4, 1, 100)) {
      scene.rescue();
      assertThat(scene.effects(ProviderSafety.MANUAL_RESOLUTION)).isZero();
      worker.resume();

      assertThat(worker.next()).contains("quarantined=4", "succeeded=0");
    }
    assertEnded(ProviderSafety.IDEMPOTENT, "succeeded", 2);
    assertEnded(ProviderSafety.PROVIDER_KEYED, "succeeded", 2);
    assertEnded(ProviderSafety.RECONCILE_BEFORE_RETRY, "suspended/reconciliation_required", 1);
    assertEnded(ProviderSafety.MANUAL_RESOLUTION, "suspended/manual_resolution", 1);
    for (ProviderSafety safety : ProviderSafety.values()) {
      assertThat(scene.isKeyedByItsActivity(safety)).isTrue();
    }
  }

  @Test
  void workerPausedBeforeItsHandoff_isRefusedByItsFences() {
    scene.acceptAll();
    try (WorkerProcess worker = paused(Stop.PERMITTED, 4, 1, 100)) {
      scene.rescue();
      worker.resume();

      assertThat(worker.next(4))
          .containsExactly(
              "refused DUR104 MANUAL_RESOLUTION",
              "refused DUR104 RECONCILE_BEFORE_RETRY",
              "refused DUR110 IDEMPOTENT",
              "refused DUR110 PROVIDER_KEYED");
      assertThat(worker.next()).contains("quarantined=4");
    }
    assertEnded(ProviderSafety.IDEMPOTENT, "succeeded", 1);
    assertEnded(ProviderSafety.PROVIDER_KEYED, "succeeded", 1);
    assertEnded(ProviderSafety.RECONCILE_BEFORE_RETRY, "suspended/reconciliation_required", 0);
    assertEnded(ProviderSafety.MANUAL_RESOLUTION, "suspended/manual_resolution", 0);
  }

  @Test
  void workerPausedAfterItsEffect_doesNotEndItsWorks() {
    scene.acceptAll();
    try (WorkerProcess worker = paused(Stop.SENT, 4, 1, 100)) {
      scene.rescue();
      worker.resume();

      assertThat(worker.next()).contains("quarantined=4", "succeeded=0");
    }
    assertEnded(ProviderSafety.IDEMPOTENT, "succeeded", 2);
    assertEnded(ProviderSafety.PROVIDER_KEYED, "succeeded", 2);
    assertEnded(ProviderSafety.RECONCILE_BEFORE_RETRY, "suspended/reconciliation_required", 1);
    assertEnded(ProviderSafety.MANUAL_RESOLUTION, "suspended/manual_resolution", 1);
  }

  @Test
  void workerPausedBeforeItsHandoff_isRefusedWhileAnotherRunsItsWork() throws Exception {
    scene.accept(ProviderSafety.PROVIDER_KEYED);
    Held rival = new Held();
    try (WorkerProcess worker = paused(Stop.PERMITTED, 1, 1, 100)) {
      Background<PumpResult> pass =
          Background.start(() -> scene.rescuer(rival).pump().runOnce(PumpPass.of(1)));
      rival.awaitArrival();
      worker.resume();

      assertThat(worker.next()).isEqualTo("refused DUR104 PROVIDER_KEYED");
      assertThat(worker.next()).contains("quarantined=1");
      rival.goOn.countDown();
      assertThat(pass.result().succeeded()).isEqualTo(1);
    }
    assertThat(scene.permits(ProviderSafety.PROVIDER_KEYED)).isEqualTo("unresolved applied");
    assertThat(scene.effects(ProviderSafety.PROVIDER_KEYED)).isEqualTo(1);
  }

  @Test
  void workerPausedPastALeaseThatNobodyTook_isRefusedAndGoesOnWithANewOne() {
    scene.accept(ProviderSafety.PROVIDER_KEYED);
    // A pass of more than one item would itself take the Work anew, before or after the refusal.
    try (WorkerProcess worker = paused(Stop.PERMITTED, 1, 2, 1)) {
      worker.resume();

      assertThat(worker.next()).isEqualTo("refused DUR105 PROVIDER_KEYED");
      assertThat(worker.next()).contains("quarantined=1");
      assertThat(worker.next()).isEqualTo("at PERMITTED");
      assertThat(worker.next()).contains("succeeded=1");
    }
    assertThat(scene.claims(ProviderSafety.PROVIDER_KEYED)).isEqualTo("1/1 2/2");
    assertThat(scene.permits(ProviderSafety.PROVIDER_KEYED)).isEqualTo("unresolved applied");
    assertThat(scene.effects(ProviderSafety.PROVIDER_KEYED)).isEqualTo(1);
  }

  /**
   * Returns a worker that was paused with so many attempts at the stop, and whose leases are over.
   */
  private WorkerProcess paused(Stop stop, int attempts, int passes, int items) {
    WorkerProcess worker = WorkerProcess.start(scene.database, stop, passes, items);
    assertThat(worker.next(attempts)).containsOnly("at " + stop);
    worker.pause();
    scene.expireLeases();
    return worker;
  }

  private void assertEnded(ProviderSafety safety, String state, int effects) {
    assertThat(scene.state(safety)).isEqualTo(state);
    assertThat(scene.effects(safety)).isEqualTo(effects);
    assertThat(scene.history(safety)).contains(" quarantined:");
    assertThat(scene.permits(safety))
        .isEqualTo(state.equals("succeeded") ? "unresolved applied" : "unresolved");
  }

  /** Another worker in this process, held before its handoff. */
  private static final class Held implements Stops {

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    void awaitArrival() throws InterruptedException {
      assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void reach(Stop stop) throws InterruptedException {
      if (stop == Stop.PERMITTED) {
        arrived.countDown();
        goOn.await();
      }
    }

    @Override
    public void refused(ProviderSafety safety, Problem problem) {}
  }
}
