package dev.handofffence.administration;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.Attempt;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.runtime.EpochChange;
import dev.handofffence.runtime.EpochLockedException;
import dev.handofffence.runtime.StoreAdministration;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EpochAdministrationTest {

  private static final String SHARE_EPOCH =
      "SELECT pg_advisory_xact_lock_shared(7521414230330205697)";

  private final DurableDatabase database = DurableDatabase.create();
  private final StoreAdministration administration = StoreAdministration.of(database.owner());
  private final UUID active = database.store().epoch();
  private final UUID next = UUID.randomUUID();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void rotation_replacesTheExpectedEpochAndRecordsWhoAndWhy() {
    assertThat(administration.rotateEpoch(active, change(next)))
        .isEqualTo(OperationResult.success(StoreIdentity.of(database.store().storeId(), next)));

    assertThat(administration.status().activeEpoch()).contains(next);
    assertThat(
            database.ask(
                "SELECT previous_epoch || ' ' || epoch || ' ' || actor || ' ' || reason"
                    + " FROM durable.epoch ORDER BY activation DESC LIMIT 1"))
        .isEqualTo(active + " " + next + " deployer restored from backup");
  }

  @Test
  void rotationByAnotherRoleThanTheOwner_saysHowToActAsIt() {
    assertThatThrownBy(
            () -> StoreAdministration.of(database.runtime()).rotateEpoch(active, change(next)))
        .isInstanceOf(DataAccessException.class)
        .hasMessageContaining("Changing the epoch failed with SQLSTATE 42501")
        .hasMessageContaining("options=-c%20role=<owner>");
  }

  @Test
  void rotation_changesNothingWhenAnotherEpochIsActive() {
    assertThat(administration.rotateEpoch(UUID.randomUUID(), change(next)))
        .isEqualTo(OperationResult.failure(Problem.EPOCH_MISMATCH));

    assertThat(administration.status().activeEpoch()).contains(active);
    assertThat(activations()).isEqualTo("1");
  }

  @Test
  void rotation_canBeRepeatedWhenItsAnswerWasLost() {
    administration.rotateEpoch(active, change(next)).orElseThrow();

    assertThat(administration.rotateEpoch(active, change(next)).isSuccess()).isTrue();
    assertThat(activations()).isEqualTo("2");
  }

  @Test
  void rotation_neverGoesBackToAnEarlierEpoch() {
    administration.rotateEpoch(active, change(next)).orElseThrow();

    assertThatThrownBy(() -> administration.rotateEpoch(next, change(active)))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR100")
        .hasMessageContaining("was active before");
    assertThat(administration.status().activeEpoch()).contains(next);
  }

  @Test
  void twoRotations_ofTheSameEpochHaveOneWinner() {
    UUID other = UUID.randomUUID();
    CompletableFuture<OperationResult<StoreIdentity>> first =
        Background.supply(() -> administration.rotateEpoch(active, change(next)));
    CompletableFuture<OperationResult<StoreIdentity>> second =
        Background.supply(() -> administration.rotateEpoch(active, change(other)));

    assertThat(first.join().isSuccess()).isNotEqualTo(second.join().isSuccess());
    assertThat(activations()).isEqualTo("2");
  }

  @Test
  void initialisation_isTheFirstActivationOnly() {
    database.execute("UPDATE durable.store SET active_epoch = NULL");

    assertThat(administration.rotateEpoch(active, change(next)))
        .isEqualTo(OperationResult.failure(Problem.EPOCH_MISMATCH));
    assertThat(administration.initialiseEpoch(change(next)).isSuccess()).isTrue();
    assertThat(administration.initialiseEpoch(change(next)).isSuccess()).as("again").isTrue();
    assertThat(administration.initialiseEpoch(change(UUID.randomUUID())))
        .isEqualTo(OperationResult.failure(Problem.EPOCH_MISMATCH));
    assertThat(administration.status().activeEpoch()).contains(next);
  }

  @Test
  void rotation_namesTheBackendsInItsWayAndChangesNothing() throws SQLException {
    try (CallerSession first = CallerSession.open(database);
        CallerSession second = CallerSession.open(database)) {
      first.execute(SHARE_EPOCH);
      second.execute(SHARE_EPOCH);
      int[] backends = {first.backend(), second.backend()};

      assertThatThrownBy(
              () -> administration.rotateEpoch(active, change(next).within(Duration.ofMillis(300))))
          .isInstanceOfSatisfying(
              EpochLockedException.class,
              e -> assertThat(e.blockingPids()).containsExactlyInAnyOrder(backends[0], backends[1]))
          .hasMessageContaining(String.valueOf(backends[0]))
          .hasMessageContaining("nothing was changed");
    }
    assertThat(administration.status().activeEpoch()).contains(active);
    assertThat(activations()).isEqualTo("1");
  }

  @Test
  void rotation_waitsForARunningTransactionAndLetsOthersPassMeanwhile() throws SQLException {
    try (CallerSession handoff = CallerSession.open(database)) {
      handoff.execute(SHARE_EPOCH);
      CompletableFuture<OperationResult<StoreIdentity>> rotation =
          Background.supply(() -> administration.rotateEpoch(active, change(next)));
      untilSomebodyWaits();

      // A waiting exclusive lock holds up new shared ones, but for no longer than its slice.
      for (int renewal = 0; renewal < 5; renewal++) {
        assertThat(Attempt.of(database.runtime(), "SET LOCAL lock_timeout = '1s'", SHARE_EPOCH))
            .isEqualTo(Attempt.OK);
      }
      assertThat(rotation).isNotDone();

      handoff.commit();
      assertThat(rotation).succeedsWithin(30, SECONDS).matches(OperationResult::isSuccess);
    }
  }

  @Test
  void rotation_ofAMissingSchemaSaysSo() {
    database.execute("DROP SCHEMA durable CASCADE");

    assertThat(administration.rotateEpoch(active, change(next)))
        .isEqualTo(OperationResult.failure(Problem.SCHEMA_MISSING));
  }

  @Test
  void rotation_ofANewerSchemaIsRefused() {
    database.execute("UPDATE durable.store SET schema_version = 9, oldest_writer = 9");

    assertThat(administration.rotateEpoch(active, change(next)))
        .isEqualTo(OperationResult.failure(Problem.SCHEMA_TOO_NEW));
    assertThat(activations()).isEqualTo("1");
  }

  @Test
  void invalidChange_isRefusedBeforeAnySql() {
    assertThatThrownBy(() -> EpochChange.of(next, "", "reason")).hasMessageContaining("actor of 0");
    assertThatThrownBy(() -> EpochChange.of(next, "actor", "r".repeat(2001)))
        .hasMessageContaining("reason of 2001");
    assertThatThrownBy(() -> change(next).within(Duration.ofMillis(-1)))
        .hasMessageContaining("patience");
    assertThatThrownBy(() -> administration.rotateEpoch(active, change(active)))
        .hasMessageContaining("DUR100");
  }

  private String activations() {
    return database.ask("SELECT count(*) FROM durable.epoch");
  }

  private void untilSomebodyWaits() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                database
                    .ask(
                        "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
                            + " WHERE d.datname = current_database() AND NOT l.granted")
                    .equals("1"));
  }

  private static EpochChange change(UUID epoch) {
    return EpochChange.of(epoch, "deployer", "restored from backup");
  }
}
