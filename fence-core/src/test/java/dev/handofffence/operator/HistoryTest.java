package dev.handofffence.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.Waits;
import dev.handofffence.internal.claim.Candidate;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.EncodedResult;
import dev.handofffence.internal.sql.CompletionSql;
import dev.handofffence.internal.transaction.StoreConnection;
import dev.handofffence.internal.work.Claims;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.internal.work.Permits;
import dev.handofffence.operator.OperatorScene.At;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkHistoryEntry;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every change is told once, in order, whichever table its entry is kept in. */
@Timeout(120)
class HistoryTest {

  private static final ProviderSafety KEYED = ProviderSafety.PROVIDER_KEYED;

  private final OperatorScene scene = new OperatorScene();
  private final ScopeId scope = OperatorScene.newScope();

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @CsvSource({
    "READY,                  accepted",
    "CLAIMED,                accepted claimed",
    "PERMITTED,              accepted claimed permitted",
    "READY_IN_DOUBT,         accepted claimed permitted retry_scheduled:lost",
    "CLAIMED_IN_DOUBT,       accepted claimed permitted retry_scheduled:lost claimed",
    "SUSPENDED_FOR_CONTRACT, accepted claimed suspended:contract_unregistered",
    "SUCCEEDED,              accepted claimed permitted succeeded",
    "FAILED,                 accepted claimed permitted failed:refused",
    "CANCELED,               accepted canceled_by_command:cancel"
  })
  void everyChange_isToldOnce(At at, String history) throws Exception {
    WorkId work = scene.workAt(at, scope, KEYED);

    assertThat(scene.history(work)).isEqualTo(history);
  }

  @Test
  void entriesOfPermitAndSuccess_haveTheFactsOfTheirAttempt() throws Exception {
    WorkId work = scene.workAt(At.READY_IN_DOUBT, scope, KEYED);
    scene.makeDue(work);
    scene.takeTo(At.SUCCEEDED, scope, work);

    assertThat(scene.operator().history(scope, work, 0, 10).items())
        .extracting(
            entry ->
                "%s %d %s %d/%d"
                    .formatted(
                        entry.event(),
                        entry.revision(),
                        entry.state(),
                        entry.attempt(),
                        entry.leaseGeneration()))
        .containsExactly(
            "accepted 1 READY 0/0",
            "claimed 2 CLAIMED 1/1",
            "permitted 3 PERMITTED 1/1",
            "retry_scheduled 4 READY 1/1",
            "claimed 5 CLAIMED 2/2",
            "permitted 6 PERMITTED 2/2",
            "succeeded 7 SUCCEEDED 2/2");
  }

  /** The one-by-one way stores the result as well, and has its entry there. */
  @Test
  void successThatABatchLeftAlone_isToldOnce() throws Exception {
    WorkId work = scene.accept(scope, KEYED);
    Claim claim = scene.permit(scene.claim(scope, work));

    Ending ending = whileItsPermitIsRewritten(work, () -> scene.complete(success(claim)));

    assertThat(ending).isEqualTo(Ending.SUCCEEDED);
    assertThat(scene.history(work)).isEqualTo("accepted claimed permitted succeeded");
    assertThat(scene.permits(work)).isEqualTo("applied");
  }

  /** A batch reads the place of a permit without a lock, before it has the lock of the Work. */
  @Test
  void permitThatWasRewrittenBeforeTheLock_isNotFoundByTheBatch() throws Exception {
    WorkId work = scene.accept(scope, KEYED);
    Completion success = success(scene.permit(scene.claim(scope, work)));

    assertThat(whileItsPermitIsRewritten(work, () -> sendBatch(success))).isEmpty();
    assertThat(scene.state(work)).isEqualTo("permitted");
    assertThat(scene.permits(work)).isEqualTo("admitted");

    assertThat(sendBatch(success)).containsExactly(success);
    assertThat(scene.history(work)).isEqualTo("accepted claimed permitted succeeded");
  }

  /** With who and why, in the entry of the proof; the result has none beside it. */
  @Test
  void successByProof_isToldOnceWithItsResult() throws Exception {
    WorkId work = scene.workAt(At.SUSPENDED_IN_DOUBT, scope, ProviderSafety.MANUAL_RESOLUTION);

    scene
        .operator()
        .resolve(
            scene.currentCommand(scope, work),
            Evidence.applied(
                OperatorScene.definition(
                    ProviderSafety.MANUAL_RESOLUTION, OperatorScene.MUCH_LATER),
                "sent"))
        .orElseThrow();

    assertThat(scene.database.ask("SELECT count(*) FROM durable.work_result")).isEqualTo("1");
    assertThat(scene.history(work))
        .isEqualTo("accepted claimed permitted suspended:lost proven_applied:resolve");
  }

  @Test
  void lateReport_isToldBesideTheSuccess() throws Exception {
    WorkId work = scene.accept(scope, KEYED);
    Completion success = success(scene.permit(scene.claim(scope, work)));
    scene.complete(success);

    assertThat(scene.complete(success)).isEqualTo(Ending.QUARANTINED);

    assertThat(scene.history(work))
        .isEqualTo("accepted claimed permitted succeeded quarantined:succeeded");
  }

  /** Pages go by the number of the entry: a later one must not have a smaller number. */
  @Test
  void entries_growAlsoWhenSessionsTakeTurns() throws Exception {
    WorkId other = scene.accept(scope, KEYED);
    WorkId work = scene.accept(scope, KEYED);
    try (StoreConnection one = new StoreConnection(scene.database.runtime());
        StoreConnection two = new StoreConnection(scene.database.runtime())) {
      claim(one, other);
      Claim claim = claim(two, work);
      new Permits(scene.store()).grant(one, List.of(claim));
    }

    assertThat(scene.operator().find(scope, work).orElseThrow().history())
        .extracting(WorkHistoryEntry::event)
        .containsExactly("accepted", "claimed", "permitted");
  }

  private Claim claim(StoreConnection connection, WorkId work) throws Exception {
    return new Claims(scene.store(), UUID.randomUUID())
        .take(connection, List.of(new Candidate(scope, work, 0)))
        .claimed()
        .get(0)
        .claim();
  }

  private static Completion success(Claim claim) {
    return Completion.succeeded(claim, new EncodedResult("text", new byte[] {'x'}));
  }

  private List<Completion> sendBatch(Completion success) throws Exception {
    try (Connection connection = scene.database.runtime().getConnection()) {
      return CompletionSql.succeed(connection, scene.store(), List.of(success)).completed();
    }
  }

  /**
   * Has a new version of the permit committed after the locking statement has begun, and before it
   * comes to the Work: a policy makes it wait where it reads the snapshot's row.
   */
  private <T> T whileItsPermitIsRewritten(WorkId work, Callable<T> task) throws Exception {
    scene.database.execute(
        "CREATE POLICY gate ON durable.work_snapshot AS RESTRICTIVE"
            + " USING (pg_advisory_xact_lock_shared(42)::text = '')");
    Background<T> running;
    try (Connection gate = scene.database.superuser().getConnection();
        var statement = gate.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(42)");
      running = Background.start(task);
      Waits.untilWaiting(scene.database, 1);
      scene.database.execute(
          "UPDATE durable.permit SET admitted_at = admitted_at WHERE work_id = '" + work + "'");
      statement.execute("SELECT pg_advisory_unlock(42)");
    }
    T result = running.result();
    scene.database.execute("DROP POLICY gate ON durable.work_snapshot");
    return result;
  }
}
