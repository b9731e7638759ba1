package dev.handofffence.acceptance;

import static dev.handofffence.acceptance.Requests.request;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.Waits;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.WorkRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same command at the same time: the later one waits for the first and then answers. */
class DuplicateRaceTest {

  private final AcceptanceFixture fixture = new AcceptanceFixture();
  private final DurableDatabase database = fixture.database();

  @BeforeEach
  void useTheScope() {
    fixture.acceptance().accept(request("c0", "k0", "zero")).orElseThrow();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void thirtyTwoTimesTheSameCommand_isAcceptedOnce() {
    List<AcceptedWork> results =
        Together.run(
            32, i -> fixture.acceptance().accept(request("c1", "k1", "one")).orElseThrow());

    assertThat(results).filteredOn(work -> !work.duplicate()).hasSize(1);
    assertThat(results)
        .extracting(AcceptedWork::activityId)
        .containsOnly(results.get(0).activityId());
    assertThat(database.ask("SELECT count(*) FROM durable.work")).isEqualTo("2");
  }

  @Test
  void uncommittedCommand_makesItsRepetitionADuplicateWhenItCommits() throws SQLException {
    try (CallerSession first = CallerSession.open(database)) {
      AcceptedWork original = accept(first, request("c1", "k1", "one"));
      var second = whileBlockedBy(first, request("c1", "k1", "one"));

      first.commit();
      assertThat(second)
          .succeedsWithin(20, SECONDS)
          .isEqualTo(
              OperationResult.success(
                  new AcceptedWork(original.workId(), original.activityId(), true)));
    }
  }

  @Test
  void uncommittedCommand_makesItsRepetitionTheFirstWhenItRollsBack() throws SQLException {
    try (CallerSession first = CallerSession.open(database)) {
      AcceptedWork undone = accept(first, request("c1", "k1", "one"));
      var second = whileBlockedBy(first, request("c1", "k1", "one"));

      first.connection().rollback();
      assertThat(second)
          .succeedsWithin(20, SECONDS)
          .matches(result -> !result.orElseThrow().duplicate())
          .matches(result -> !result.orElseThrow().workId().equals(undone.workId()));
    }
  }

  @Test
  void uncommittedCommand_makesAnotherContentAConflict() throws SQLException {
    try (CallerSession first = CallerSession.open(database)) {
      accept(first, request("c1", "k1", "one"));
      var second = whileBlockedBy(first, request("c1", "k1", "other"));

      first.commit();
      assertThat(second)
          .succeedsWithin(20, SECONDS)
          .isEqualTo(OperationResult.failure(Problem.COMMAND_CONFLICT));
    }
  }

  @Test
  void uncommittedKey_isWaitedForAsWell() throws SQLException {
    try (CallerSession first = CallerSession.open(database)) {
      accept(first, request("c1", "k1", "one"));
      var second = whileBlockedBy(first, request("c-other", "k1", "one"));

      first.commit();
      assertThat(second)
          .succeedsWithin(20, SECONDS)
          .matches(result -> result.orElseThrow().duplicate());
    }
  }

  @Test
  void batchesOfTheSameCommandsInOppositeOrder_doNotDeadlock() {
    List<WorkRequest<String, String>> requests =
        IntStream.range(0, 50).mapToObj(n -> request("c" + n, "k" + n, "payload " + n)).toList();
    List<WorkRequest<String, String>> reversed = new ArrayList<>(requests);
    Collections.reverse(reversed);

    List<Long> accepted =
        Together.run(
            8,
            i ->
                fixture.acceptance().acceptAll(i % 2 == 0 ? requests : reversed).stream()
                    .filter(result -> result.isSuccess() && !result.orElseThrow().duplicate())
                    .count());

    assertThat(accepted.stream().mapToLong(Long::longValue).sum()).isEqualTo(49);
  }

  @Test
  void identitiesOfABatch_areTakenInTheOrderOfTheirCommands() throws SQLException {
    try (CallerSession first = CallerSession.open(database)) {
      accept(first, request("c5", "k5", "five"));
      int backend = first.backend();
      CompletableFuture<List<OperationResult<AcceptedWork>>> batch =
          Background.supply(
              () ->
                  fixture
                      .acceptance()
                      .acceptAll(
                          List.of(
                              request("c9", "k9", "nine"),
                              request("c5", "k5", "five"),
                              request("c1", "k1", "one"))));
      Waits.untilBlockedBy(database, backend);

      // Blocked at c5, it holds c1 and not yet c9.
      assertThat(isTaken(request("c1", "k1", "one"))).isTrue();
      assertThat(isTaken(request("c9", "k9", "nine"))).isFalse();
      first.commit();
      assertThat(batch).succeedsWithin(20, SECONDS);
    }
  }

  private boolean isTaken(WorkRequest<?, ?> request) throws SQLException {
    try (CallerSession probe = CallerSession.open(database)) {
      probe.execute("SET LOCAL lock_timeout = '100ms'");
      accept(probe, request);
      return false;
    } catch (DataAccessException e) {
      return true;
    }
  }

  private AcceptedWork accept(CallerSession caller, WorkRequest<?, ?> request) {
    return fixture.acceptance().accept(caller.connection(), request).orElseThrow();
  }

  private CompletableFuture<OperationResult<AcceptedWork>> whileBlockedBy(
      CallerSession first, WorkRequest<?, ?> request) throws SQLException {
    int backend = first.backend();
    CompletableFuture<OperationResult<AcceptedWork>> second =
        Background.supply(() -> fixture.acceptance().accept(request));
    Waits.untilBlockedBy(database, backend);
    return second;
  }
}
