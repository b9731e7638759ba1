package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CommandId;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What renews a lease, what ends it, and who respects it (protocol section 2). */
class LeaseTest {

  private static final LeasePolicy MINUTE =
      LeasePolicy.of(Duration.ofMinutes(1), Duration.ofMinutes(10));

  private static PumpScene scene;

  private OtherWorker worker;

  @BeforeAll
  static void open() {
    scene = new PumpScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @BeforeEach
  void start() {
    worker = new OtherWorker(scene);
  }

  @AfterEach
  void stop() {
    worker.close();
  }

  @Test
  void lease_lastsAsLongAsThePolicySays() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    worker.claim(work);

    assertThat(ask("lease_expires_at - leased_at", work)).isEqualTo("00:01:00");
  }

  @Test
  void lease_isRenewed_whileAHandoffTransactionIsOpen() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    Claim claim = worker.claimAndPermit(work);
    scene.change("dispatch", work, "lease_expires_at = clock_timestamp() + interval '5 seconds'");

    try (CallerSession handoff = CallerSession.open(scene.database)) {
      lockAsTheFenceDoes(handoff, work);

      assertThat(worker.renew(claim)).hasValueSatisfying(LeaseTest::isAboutAMinute);
    }
  }

  @Test
  void lease_isRenewed_whileTheApplicationsCancellationIsOpen() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    Claim claim = worker.claimAndPermit(work);
    scene.change("dispatch", work, "lease_expires_at = clock_timestamp() + interval '5 seconds'");

    try (CallerSession application = CallerSession.open(scene.database)) {
      runtime(definition())
          .cancellation()
          .cancel(
              application.connection(),
              WorkCommand.of(PumpScene.TENANT, work, CommandId.of("stop-it"), "olga", "ticket 7"))
          .orElseThrow();

      assertThat(worker.renew(claim)).hasValueSatisfying(LeaseTest::isAboutAMinute);
    }
  }

  @Test
  void renewal_saysWhetherTheRowWasBusy() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    Claim claim = worker.claim(work);

    try (CallerSession other = CallerSession.open(scene.database)) {
      bind(other);
      other.execute("SELECT 1 FROM durable.dispatch WHERE work_id = '" + work + "' FOR UPDATE");
      assertThat(worker.isRenewable(claim)).isFalse();
    }
    assertThat(worker.isRenewable(claim)).isTrue();
  }

  @Test
  void expiredLease_isNotTakenOver_whileAHandoffTransactionIsOpen() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    worker.claimAndPermit(work);

    try (CallerSession handoff = CallerSession.open(scene.database);
        OtherWorker other = new OtherWorker(scene)) {
      lockAsTheFenceDoes(handoff, work);
      scene.expireLease(work);

      assertThat(other.take(List.of(work)).claimed()).isEmpty();
      handoff.commit();
      assertThat(other.take(List.of(work)).claimed()).hasSize(1);
    }
  }

  @Test
  void renewal_waitsForNobody_andABusyRowIsNotALostLease() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    WorkId free = accept(UnaryOperator.identity());
    Claim claim = worker.claim(work);
    Claim freeClaim = worker.claim(free);
    scene.change("dispatch", work, "lease_expires_at = clock_timestamp() + interval '5 seconds'");
    scene.change("dispatch", free, "lease_expires_at = clock_timestamp() + interval '5 seconds'");

    try (CallerSession other = CallerSession.open(scene.database)) {
      bind(other);
      other.execute("SELECT 1 FROM durable.dispatch WHERE work_id = '" + work + "' FOR UPDATE");

      assertThat(worker.renew(claim))
          .hasValueSatisfying(left -> assertThat(left).isLessThanOrEqualTo(Duration.ofSeconds(5)));
      assertThat(worker.renew(freeClaim)).hasValueSatisfying(LeaseTest::isAboutAMinute);
    }
    assertThat(worker.renew(claim)).hasValueSatisfying(LeaseTest::isAboutAMinute);
  }

  @Test
  void renewal_passesOverAScopeThatIsBeingChanged() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    Claim claim = worker.claim(work);

    try (CallerSession disabling = CallerSession.open(scene.database)) {
      disabling.execute(
          "SELECT pg_advisory_xact_lock(durable.scope_lock_key('"
              + PumpScene.TENANT.value()
              + "'))");

      assertThat(worker.renew(claim)).isPresent();
    }
  }

  @Test
  void renewal_reachesToTheMaximumLifetimeAndNoFurther() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    Claim claim = worker.claim(work);
    scene.change("dispatch", work, "leased_at = leased_at - interval '9 minutes 30 seconds'");

    assertThat(worker.renew(claim)).isPresent();

    assertThat(ask("lease_expires_at - leased_at", work)).isEqualTo("00:10:00");
  }

  @Test
  void renewal_reachesToTheDeadlineAndNoFurther() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    Claim claim = worker.claim(work);
    scene.change("work", work, "deadline_at = clock_timestamp() + interval '30 seconds'");

    assertThat(worker.renew(claim)).isPresent();

    assertThat(
            scene.database.ask(
                "SELECT deadline_at = lease_expires_at FROM durable.work JOIN durable.dispatch USING (scope_id, work_id) WHERE work_id = '"
                    + work
                    + "'"))
        .isEqualTo("t");
  }

  @Test
  void lease_endsAtTheDeadlineFromTheBeginning() throws SQLException {
    Instant deadline =
        Instant.parse(
            scene.database.ask(
                "SELECT to_char((clock_timestamp() + interval '20 seconds') AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"));
    WorkId work = accept(r -> r.withDeadline(deadline));

    worker.claim(work);

    assertThat(ask("lease_expires_at - leased_at < interval '21 seconds'", work)).isEqualTo("t");
  }

  @Test
  void expiredLease_isNotRevived() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    Claim claim = worker.claim(work);
    scene.expireLease(work);

    assertThat(worker.renew(claim)).isEmpty();
    assertThat(ask("lease_expires_at < clock_timestamp()", work)).isEqualTo("t");
  }

  @Test
  void leaseOfAnotherClaim_isNotRenewed() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    Claim claim = worker.claim(work);
    scene.expireLease(work);
    worker.claim(work);

    assertThat(worker.renew(claim)).isEmpty();
  }

  @Test
  void permit_ofAnExpiredLease_isRefused() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    Claim claim = worker.claim(work);
    scene.expireLease(work);

    assertThat(worker.permit(claim).permitted()).isEmpty();
    assertThat(scene.state(work)).isEqualTo("claimed");
  }

  @Test
  void permit_renewsTheLease() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    Claim claim = worker.claim(work);
    scene.change("dispatch", work, "lease_expires_at = clock_timestamp() + interval '5 seconds'");

    assertThat(worker.permit(claim).permitted().get(claim)).satisfies(LeaseTest::isAboutAMinute);
  }

  @Test
  void permitAndCompletion_ofALockedWork_areBusy_andJudgeTheLeaseAfterwards() throws SQLException {
    WorkId work = accept(UnaryOperator.identity());
    Claim claim = worker.claim(work);

    try (CallerSession other = CallerSession.open(scene.database)) {
      lockAsTheFenceDoes(other, work);
      assertThat(worker.permit(claim).busy()).containsExactly(claim);
    }
    assertThat(worker.permit(claim).permitted()).containsKey(claim);

    try (CallerSession other = CallerSession.open(scene.database)) {
      lockAsTheFenceDoes(other, work);
      assertThat(worker.succeed(claim)).isEmpty();
      scene.expireLease(work);
    }
    assertThat(worker.succeed(claim)).contains(Ending.QUARANTINED);
  }

  private static void isAboutAMinute(Duration left) {
    assertThat(left).isBetween(Duration.ofSeconds(58), Duration.ofMinutes(1));
  }

  private static void lockAsTheFenceDoes(CallerSession handoff, WorkId work) throws SQLException {
    bind(handoff);
    String key = " WHERE work_id = '" + work + "' ";
    handoff.execute("SELECT 1 FROM durable.work" + key + "FOR NO KEY UPDATE");
    handoff.execute("SELECT 1 FROM durable.dispatch" + key + "FOR KEY SHARE");
    handoff.execute("SELECT 1 FROM durable.permit" + key + "FOR NO KEY UPDATE");
  }

  private static void bind(CallerSession session) throws SQLException {
    session.execute(
        "SELECT set_config('durable.scope_id', '" + PumpScene.TENANT.value() + "', true)");
  }

  private static String ask(String expression, WorkId work) {
    return scene.database.ask(
        "SELECT " + expression + " FROM durable.dispatch WHERE work_id = '" + work + "'");
  }

  private static WorkId accept(UnaryOperator<WorkRequest<String, String>> change) {
    WorkDefinition<String, String> definition = definition();
    return scene.accept(runtime(definition), definition, change);
  }

  private static WorkDefinition<String, String> definition() {
    return PumpScene.definition(ProviderSafety.IDEMPOTENT, PumpScene.SOON, MINUTE);
  }

  private static DurableRuntime runtime(WorkDefinition<String, String> definition) {
    return scene.runtime(definition, i -> (work, cancellation) -> WorkExit.succeeded("sent"));
  }
}
