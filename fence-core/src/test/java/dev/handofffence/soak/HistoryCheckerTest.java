package dev.handofffence.soak;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CancellationToken;
import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.NoticeTables;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkInvocation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The checker of the soak sees each kind of damage, and nothing where there is none. */
class HistoryCheckerTest {

  private static final ProviderSafety SAFETY = ProviderSafety.RECONCILE_BEFORE_RETRY;

  /** With a lease that outlasts a busy machine, unlike those of the soak. */
  private static final WorkDefinition<String, String> WORK =
      WorkDefinition.named("checked", "v1")
          .payload(PayloadCodecs.text())
          .result(PayloadCodecs.text())
          .providerSafety(SAFETY)
          .build();

  private static final Map<Invariant, String> DAMAGE = new EnumMap<>(Invariant.class);
  private static final String HISTORY =
      "INSERT INTO durable.work_event (scope_id, work_id, event, revision, state, attempt,"
          + " lease_generation) SELECT scope_id, work_id, event, revision, state, ";
  private static final String EFFECT =
      "INSERT INTO app.effect (work_id, activity_id, attempt) SELECT work_id, activity_id, ";

  static {
    DAMAGE.put(
        Invariant.NO_ACCEPTED_WORK_IS_LOST, "INSERT INTO app.accepted SELECT gen_random_uuid()");
    DAMAGE.put(
        Invariant.EVERY_WORK_HAS_ITS_SNAPSHOT_AND_IDENTITY, "DELETE FROM durable.work_snapshot");
    DAMAGE.put(Invariant.NOTHING_IS_LEFT_OF_A_WORK_THAT_IS_GONE, "DELETE FROM durable.work");
    DAMAGE.put(Invariant.RUNNABLE_WORK_CAN_BE_FOUND, "UPDATE durable.work SET state = 'ready'");
    DAMAGE.put(
        Invariant.WORK_IN_DOUBT_CAN_BE_ASKED_ABOUT,
        "UPDATE durable.work SET state = 'suspended', suspend_reason = 'reconciliation_required'");
    DAMAGE.put(Invariant.NO_EFFECT_WITHOUT_A_PERMIT, "DELETE FROM durable.permit");
    DAMAGE.put(Invariant.NO_EFFECT_WITHOUT_A_HANDOFF, "DELETE FROM app.handoff");
    DAMAGE.put(
        Invariant.NO_HANDOFF_BUT_WHILE_ITS_PERMIT_LIVES,
        "UPDATE app.handoff SET prepared_at = clock_timestamp()");
    DAMAGE.put(
        Invariant.NO_HANDOFF_BUT_IN_ITS_EPOCH,
        "INSERT INTO durable.epoch (epoch, previous_epoch, activated_at, actor, reason)"
            + " SELECT gen_random_uuid(), active_epoch, '2000-01-01', 'a', 'r' FROM durable.store");
    DAMAGE.put(
        Invariant.NO_HANDOFF_IN_A_DISABLED_SCOPE,
        "UPDATE durable.scope SET state = 'disabled', changed_at = '2000-01-01'");
    DAMAGE.put(Invariant.NO_SECOND_EFFECT_WHERE_FORBIDDEN, EFFECT + "attempt + 1 FROM app.effect");
    DAMAGE.put(
        Invariant.NO_ATTEMPT_WHERE_AN_EARLIER_EFFECT_FORBIDS_IT,
        "INSERT INTO durable.permit (scope_id, work_id, lease_generation, attempt, lease_owner,"
            + " revision, scope_generation, epoch) SELECT scope_id, work_id, 9, 9, lease_owner,"
            + " revision, scope_generation, epoch FROM durable.permit");
    DAMAGE.put(Invariant.NO_SECOND_EFFECT_OF_ONE_ATTEMPT, EFFECT + "attempt FROM app.effect");
    DAMAGE.put(
        Invariant.ONE_KEY_FOR_ALL_EFFECTS_OF_A_WORK,
        "UPDATE app.effect SET activity_id = gen_random_uuid()");
    DAMAGE.put(
        Invariant.NO_ATTEMPT_NUMBER_IS_USED_TWICE,
        HISTORY + "attempt, 9 FROM durable.work_history WHERE event = 'claimed'");
    DAMAGE.put(
        Invariant.NO_LEASE_GENERATION_IS_USED_TWICE,
        HISTORY + "9, lease_generation FROM durable.work_history WHERE event = 'claimed'");
    DAMAGE.put(
        Invariant.EVERY_PERMIT_BELONGS_TO_A_CLAIM,
        "UPDATE durable.work_event SET lease_generation = 9 WHERE event = 'claimed'");
    DAMAGE.put(
        Invariant.FAILED_AND_CANCELED_PROVE_NO_EFFECT, "UPDATE durable.work SET state = 'failed'");
    DAMAGE.put(Invariant.SUCCEEDED_PROVES_AN_EFFECT, "DELETE FROM app.effect");
    DAMAGE.put(
        Invariant.WHAT_STAYS_SUSPENDED_IS_IN_DOUBT,
        "UPDATE durable.work SET state = 'suspended', suspend_reason = 'manual_resolution'");
    DAMAGE.put(
        Invariant.ONLY_A_PERMITTED_WORK_HAS_A_LIVE_PERMIT,
        "UPDATE durable.permit SET state = 'admitted', settled_at = NULL");
    DAMAGE.put(
        Invariant.REVISIONS_HAVE_NO_GAP, "DELETE FROM durable.work_event WHERE event = 'claimed'");
    DAMAGE.put(
        Invariant.TRANSITIONS_ARE_LEGAL,
        "UPDATE durable.work_event SET event = 'released' WHERE event = 'claimed'");
    DAMAGE.put(
        Invariant.HISTORY_ENDS_WHERE_THE_WORK_IS,
        "UPDATE durable.work SET revision = revision + 1");
  }

  private static DurableDatabase database;

  @BeforeAll
  static void runOneWork() {
    database = DurableDatabase.create();
    NoticeTables.create(database);
    DurableRuntime runtime =
        DurableRuntime.builder()
            .runtimeDataSource(database.runtime())
            .dispatcherDataSource(database.dispatcher())
            .store(database.store())
            .register(WORK, given -> (work, token) -> send(given, work))
            .build();
    runtime
        .work()
        .accept(
            WORK.request(
                ScopeId.of("tenant"), CommandId.of("one"), IdempotencyKey.of("one"), "notice"))
        .orElseThrow();
    runtime.pump().runOnce(PumpPass.of(1));
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void soundHistory_hasNoFindings() {
    assertThat(database.ask("SELECT state FROM durable.work")).isEqualTo("succeeded");
    assertThat(new HistoryChecker(database::ask).findings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Invariant.class)
  void damage_isFound(Invariant invariant) throws SQLException {
    try (CallerSession session = CallerSession.open(database.superuser())) {
      session.execute("SET LOCAL session_replication_role = replica"); // no triggers
      session.execute(requireNonNull(DAMAGE.get(invariant)));

      assertThat(new HistoryChecker(query -> ask(session, query)).findings())
          .anyMatch(finding -> finding.startsWith(invariant + ": 1 Works"));
    }
  }

  /** Wherever an entry is kept: one that is told twice, lost, or belongs elsewhere. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        HISTORY + "attempt, lease_generation FROM durable.work_history WHERE event = 'accepted'",
        HISTORY + "attempt, lease_generation FROM durable.work_history WHERE event = 'permitted'",
        HISTORY + "attempt, lease_generation FROM durable.work_history WHERE event = 'succeeded'",
        "DELETE FROM durable.work_snapshot",
        "DELETE FROM durable.work_event",
        "DELETE FROM durable.permit",
        "UPDATE durable.permit SET revision = 9",
        "UPDATE durable.work_result SET entry = NULL, revision = NULL, lease_generation = NULL, attempt = NULL",
        "DELETE FROM durable.work_result"
      })
  void damagedEntry_isFound(String damage) throws SQLException {
    try (CallerSession session = CallerSession.open(database.superuser())) {
      session.execute("SET LOCAL session_replication_role = replica");
      session.execute(damage);

      assertThat(new HistoryChecker(query -> ask(session, query)).findings())
          .anyMatch(
              finding ->
                  finding.startsWith(Invariant.REVISIONS_HAVE_NO_GAP + ": 1 Works")
                      || finding.startsWith(
                          Invariant.HISTORY_ENDS_WHERE_THE_WORK_IS + ": 1 Works"));
    }
  }

  private static String ask(CallerSession session, String query) {
    try {
      return session.ask(query);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static WorkExit<String> send(WorkInvocation given, WorkEnvelope<String> work)
      throws SQLException {
    try (Connection transaction = database.runtime().getConnection()) {
      transaction.setAutoCommit(false);
      given
          .handoffFence()
          .execute(
              transaction,
              (connection, token) -> NoticeTables.prepare(connection, work, SAFETY),
              CancellationToken.none())
          .orElseThrow();
      transaction.commit();
    }
    NoticeTables.send(database.runtime(), work.workId(), work.activityId(), work.attempt());
    return WorkExit.succeeded("sent");
  }
}
