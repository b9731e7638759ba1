package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CommandId;
import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.work.Permits;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a worker has claimed and cannot start, it gives back. */
@Timeout(60)
class HandBackTest {

  private static final int FAST = 40;
  private static final int WORKS = 120;
  private static final int PLACES = 2;

  private final PumpScene scene = new PumpScene();
  private final WorkDefinition<String, String> definition = HostScene.keyed();
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();
  private DurableRuntime runtime;

  @BeforeEach
  void build() {
    runtime =
        scene
            .builder()
            .concurrency(PLACES)
            .register(definition, invocation -> (work, cancellation) -> run())
            .build();
  }

  @AfterEach
  void close() {
    mayEnd.countDown();
    scene.close();
  }

  @Test
  void handedBack_isReadyAsItWas_andTheClaimCountsForNothing() throws SQLException {
    WorkId work = scene.accept(runtime, definition);
    String due = dueAt(work);
    try (OtherWorker worker = new OtherWorker(scene);
        OtherWorker next = new OtherWorker(scene)) {
      Claim claim = worker.claim(work);

      assertThat(worker.handBack(claim)).isTrue();

      assertThat(scene.state(work)).isEqualTo("ready");
      assertThat(dueAt(work)).isEqualTo(due);
      assertThat(scene.history(work)).isEqualTo("accepted claimed handed_back");
      assertThat(scene.permits(work)).isEqualTo("null");
      assertThat(worker.renew(claim)).isEmpty();
      assertThat(next.claim(work).leaseGeneration()).isEqualTo(2);
      assertThat(column(work, "permitted_attempts")).isEqualTo("0");
    }
  }

  @Test
  void claimWithAPermit_isNotHandedBack() throws SQLException {
    WorkId work = scene.accept(runtime, definition);
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claimAndPermit(work);

      assertThat(worker.handBack(claim)).isFalse();

      assertThat(scene.state(work)).isEqualTo("permitted");
      assertThat(worker.renew(claim)).isPresent();
    }
  }

  @Test
  void claimThatSomebodyElseTookOver_isNotHandedBack() throws SQLException {
    WorkId work = scene.accept(runtime, definition);
    try (OtherWorker slow = new OtherWorker(scene);
        OtherWorker next = new OtherWorker(scene)) {
      Claim lost = slow.claim(work);
      scene.expireLease(work);
      Claim taken = next.claim(work);

      assertThat(slow.handBack(lost)).isFalse();

      assertThat(scene.state(work)).isEqualTo("claimed");
      assertThat(next.renew(taken)).isPresent();
    }
  }

  @Test
  void handBackFromAnotherEpoch_changesNothing() throws SQLException {
    WorkId work = scene.accept(runtime, definition);
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claim(work);
      scene.change("work", work, "epoch = gen_random_uuid()");

      assertThat(worker.handBack(claim)).isFalse();

      assertThat(scene.state(work)).isEqualTo("claimed");
    }
  }

  @Test
  void claimWhoseWorkIsCanceled_isRefusedAtOnce_notTakenForBusy() throws SQLException {
    WorkId work = scene.accept(runtime, definition);
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claim(work);
      runtime
          .cancellation()
          .cancel(
              WorkCommand.of(PumpScene.TENANT, work, CommandId.of("stop-it"), "olga", "ticket 7"))
          .orElseThrow();

      Permits.Granted granted = worker.permit(claim);

      assertThat(granted.busy()).isEmpty();
      assertThat(granted.refused()).containsExactly(claim);
      assertThat(scene.state(work)).isEqualTo("canceled");
    }
  }

  @Test
  void hostWhoseExecutorsBecomeSlow_holdsOnlyWhatRuns() {
    acceptMany();
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.until(() -> begun.get() == FAST + PLACES);

      HostScene.until(() -> count("lease_owner IS NOT NULL").equals(String.valueOf(PLACES)));

      mayEnd.countDown();
      HostScene.until(() -> count("true").equals("0"));
      HostScene.until(() -> host.health().running() == 0);
    }
  }

  @Test
  void hostThatStops_leavesNothingClaimed() {
    acceptMany();
    try (WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.until(() -> begun.get() == FAST + PLACES);
      mayEnd.countDown();
      assertThat(host.drain(HostScene.PATIENCE)).isTrue();
    }

    assertThat(count("lease_owner IS NOT NULL")).isEqualTo("0");
  }

  private WorkExit<String> run() throws InterruptedException {
    if (begun.incrementAndGet() > FAST) {
      mayEnd.await();
    }
    return WorkExit.succeeded("sent");
  }

  private void acceptMany() {
    IntStream.range(0, WORKS).forEach(n -> scene.accept(runtime, definition));
  }

  private String count(String condition) {
    return scene.database.ask("SELECT count(*) FROM durable.dispatch WHERE " + condition);
  }

  private String dueAt(WorkId work) {
    return scene.database.ask(
        "SELECT due_at FROM durable.dispatch WHERE lease_owner IS NULL AND work_id = '%s'"
            .formatted(work));
  }

  private String column(WorkId work, String column) {
    return scene.database.ask(
        "SELECT %s FROM durable.work WHERE work_id = '%s'".formatted(column, work));
  }
}
