package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.fixture.Rival;
import dev.handofffence.fixture.Waits;
import dev.handofffence.runtime.EpochChange;
import dev.handofffence.runtime.StoreAdministration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After a restore a deployer rotates the epoch: the rotation waits for every open handoff, and when
 * it is through, nothing of the old epoch commits any more.
 */
class EpochRotationTest extends HandoffScene {

  private static final OperationResult<HandoffResult> OLD_EPOCH =
      OperationResult.failure(Problem.EPOCH_MISMATCH);

  private static final String ACTIVATE_ANOTHER =
      "UPDATE durable.store SET active_epoch = gen_random_uuid()";

  @AfterEach
  void reactivateTheEpochOfTheTests() throws Exception {
    caller.commit();
    database.execute("UPDATE durable.store SET active_epoch = '" + epoch() + "'");
  }

  @Test
  void rotation_waitsForAnOpenHandoffTransaction() throws Exception {
    assertPrepared(hand((tx, token) -> record(tx, "before the rotation")));
    var rotation = Background.start(this::rotate);
    Waits.untilBlockedBy(database, caller.backend());
    assertThat(database.ask("SELECT active_epoch FROM durable.store"))
        .isEqualTo(epoch().toString());

    caller.commit();
    assertThat(rotation.result().isSuccess()).isTrue();
    assertThat(application.isRecorded("before the rotation")).isTrue();
    assertThat(handWithoutReachingTheCallback()).isEqualTo(OLD_EPOCH);
  }

  /** The call reads the store in the statement after the lock, so it sees what it waited for. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void callDuringARotation_waitsForItsEnd(boolean commits) throws Exception {
    int backend = caller.backend();
    try (Rival rotation = Rival.open(database)) {
      rotation.execute(ACTIVATE_ANOTHER);
      var call = Background.start(() -> hand((tx, token) -> true));
      rotation.awaitBlocked(backend);
      rotation.execute(commits ? "COMMIT" : "ROLLBACK");
      assertThat(call.result())
          .matches(result -> commits ? result.equals(OLD_EPOCH) : result.isSuccess());
    }
  }

  @Test
  void nothingOfTheOldEpoch_commitsAfterTheRotation() throws Exception {
    database.execute("TRUNCATE app.ledger");
    List<Background<Integer>> workers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      PermittedWork own = PermittedWork.create(database);
      workers.add(Background.start(() -> handOffUntilRefused(own)));
    }
    Waits.until(database, "SELECT count(*) >= 20 FROM app.ledger");
    assertThat(rotate().isSuccess()).isTrue();
    int recorded = Integer.parseInt(database.ask("SELECT count(*) FROM app.ledger"));

    int committed = 0;
    for (Background<Integer> worker : workers) {
      committed += worker.result();
    }
    assertThat(committed).isEqualTo(recorded);
    assertThat(database.ask("SELECT count(*) FROM app.ledger")).isEqualTo("" + recorded);
  }

  /** Returns how many handoffs it has committed. */
  private int handOffUntilRefused(PermittedWork own) throws Exception {
    try (CallerSession session = CallerSession.open(database)) {
      for (int count = 0; ; count++) {
        String operation = own.scopeId() + " " + count;
        OperationResult<HandoffResult> result =
            own.handOff(
                session.connection(),
                (tx, token) -> record(tx, operation),
                CancellationToken.none());
        if (!result.isSuccess()) {
          assertThat(result).isEqualTo(OLD_EPOCH);
          return count;
        }
        session.commit();
      }
    }
  }

  private OperationResult<StoreIdentity> rotate() {
    return StoreAdministration.of(database.owner())
        .rotateEpoch(
            epoch(),
            new EpochChange(UUID.randomUUID(), "deployer", "restored", Duration.ofSeconds(20)));
  }

  private UUID epoch() {
    return database.store().epoch();
  }

  private static void assertPrepared(OperationResult<HandoffResult> result) {
    assertThat(result.orElseThrow().handoffPrepared()).isTrue();
  }
}
