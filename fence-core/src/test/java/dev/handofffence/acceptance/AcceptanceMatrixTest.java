package dev.handofffence.acceptance;

import static dev.handofffence.acceptance.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.work.AcceptedWork;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Command id and idempotency key: each unknown, known with the same content, or known with another.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AcceptanceMatrixTest {

  private final AcceptanceFixture fixture = new AcceptanceFixture();
  private AcceptedWork first;
  private AcceptedWork second;

  @BeforeAll
  void acceptTwo() {
    first = fixture.acceptance().accept(request("c1", "k1", "one")).orElseThrow();
    second = fixture.acceptance().accept(request("c2", "k2", "two")).orElseThrow();
  }

  @AfterAll
  void close() {
    fixture.close();
  }

  @Test
  void bothUnknown_isAccepted() {
    AcceptedWork third = fixture.acceptance().accept(request("c3", "k3", "three")).orElseThrow();

    assertThat(third.duplicate()).isFalse();
    assertThat(third.workId()).isNotIn(first.workId(), second.workId());
    assertThat(fixture.rowsOf(third))
        .isEqualTo("identity 1, work ready 1, snapshot 1, dispatch 1, history accepted 1");
  }

  @Test
  void bothKnownWithTheSameContent_isADuplicateWithTheOriginalIds() {
    String before = fixture.contents();

    assertThat(fixture.acceptance().accept(request("c1", "k1", "one")).orElseThrow())
        .isEqualTo(duplicateOf(first));
    assertThat(fixture.contents()).isEqualTo(before);
  }

  @Test
  void keyKnownWithTheSameContent_isADuplicateUnderAnyCommandId() {
    String before = fixture.contents();

    assertThat(fixture.acceptance().accept(request("c-new", "k1", "one")).orElseThrow())
        .isEqualTo(duplicateOf(first));
    assertThat(fixture.contents()).isEqualTo(before);
  }

  @Test
  void bothKnownWithOtherContent_isAConflict() {
    assertConflict("c1", "k1", "other");
  }

  @Test
  void commandKnownWithAnotherKey_isAConflict() {
    assertConflict("c1", "k-new", "one");
  }

  @Test
  void keyKnownWithOtherContent_isAConflict() {
    assertConflict("c-new", "k1", "other");
  }

  @Test
  void commandOfOneAndKeyOfAnother_isAConflict() {
    assertConflict("c1", "k2", "one");
    assertConflict("c1", "k2", "two");
  }

  @Test
  void sameIdsInAnotherScope_areUnrelated() {
    AcceptedWork other =
        fixture
            .acceptance()
            .accept(request(ScopeId.of("tenant-2"), "c1", "k1", "other"))
            .orElseThrow();

    assertThat(other.duplicate()).isFalse();
    assertThat(other.workId()).isNotEqualTo(first.workId());
  }

  private void assertConflict(String command, String key, String payload) {
    String before = fixture.contents();

    assertThat(fixture.acceptance().accept(request(command, key, payload)))
        .isEqualTo(OperationResult.failure(Problem.COMMAND_CONFLICT));
    assertThat(fixture.contents()).as("nothing changed").isEqualTo(before);
  }

  private static AcceptedWork duplicateOf(AcceptedWork work) {
    return new AcceptedWork(work.workId(), work.activityId(), true);
  }
}
