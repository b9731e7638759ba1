package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.fixture.PermittedWork.Row;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Of several wrong facts the first of protocol section 7 is the one that is reported. */
class RefusalOrderTest extends HandoffScene {

  /** So that the store row can contradict itself, which its constraint rules out. */
  @BeforeAll
  void dropTheConstraint() {
    database.execute("ALTER TABLE durable.store DROP CONSTRAINT store_versions");
  }

  @AfterEach
  void repair() {
    WrongFact.repair(database);
  }

  @ParameterizedTest
  @EnumSource
  void wrongFact_isRefusedWithItsCode(WrongFact fact) throws Exception {
    fact.apply(database, work);

    assertThat(handWithoutReachingTheCallback()).isEqualTo(OperationResult.failure(fact.problem()));
    WrongFact.repair(database);
    assertNothingLocked();
    assertSavepointsReleased();
  }

  @ParameterizedTest
  @EnumSource
  void wrongFact_winsOverEveryLaterOne(WrongFact first) throws Exception {
    EnumSet<WrongFact> later = EnumSet.range(first, WrongFact.DEADLINE_PASSED);
    later.remove(first);
    for (WrongFact second : later) {
      assertFirstWins(first, second);
    }
  }

  @ParameterizedTest
  @EnumSource
  void rowThatMayBeSeenButNotLocked_isAnInconsistentSchemaAndNotAnAbsentRow(Row row)
      throws Exception {
    try (DurableDatabase damaged = DurableDatabase.create()) {
      damaged.execute(
          "DROP POLICY scope_isolation ON %1$s; CREATE POLICY seen ON %1$s FOR SELECT USING (true)"
              .formatted(row.table()));
      PermittedWork hidden = PermittedWork.create(damaged);
      try (CallerSession session = CallerSession.open(damaged)) {
        OperationResult<HandoffResult> result =
            hidden.run(
                fence ->
                    fence.execute(
                        session.connection(), (tx, token) -> true, CancellationToken.none()));

        assertThat(result).isEqualTo(OperationResult.failure(Problem.SCHEMA_INCONSISTENT));
      }
    }
  }

  private void assertFirstWins(WrongFact first, WrongFact later) throws Exception {
    PermittedWork wrongTwice = PermittedWork.create(database);
    later.apply(database, wrongTwice);
    first.apply(database, wrongTwice);
    work = wrongTwice;

    assertThat(handWithoutReachingTheCallback())
        .as("%s and %s", first, later)
        .isEqualTo(OperationResult.failure(first.problem()));
    caller.connection().rollback();
    WrongFact.repair(database);
  }
}
