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
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The first use of a scope creates it, once, whoever comes first. */
class FirstUseRaceTest {

  private final AcceptanceFixture fixture = new AcceptanceFixture();
  private final DurableDatabase database = fixture.database();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void thirtyTwoConcurrentFirstUses_areAllAcceptedInOneScope() {
    List<OperationResult<AcceptedWork>> results =
        Together.run(
            32, i -> fixture.acceptance().accept(request("c" + i, "k" + i, "payload " + i)));

    assertThat(results).hasSize(32).allMatch(OperationResult::isSuccess);
    assertThat(results).extracting(result -> result.orElseThrow().workId()).doesNotHaveDuplicates();
    assertThat(
            database.ask(
                "SELECT string_agg(scope_id || ' ' || generation, ',') FROM durable.scope"))
        .isEqualTo("tenant-1 1");
    assertThat(database.ask("SELECT count(*) FROM durable.scope_history")).isEqualTo("1");
    assertThat(database.ask("SELECT count(*) FROM durable.dispatch")).isEqualTo("32");
  }

  @Test
  void thirtyTwoConcurrentFirstUses_inCallersTransactionsAreAllAccepted() {
    List<Boolean> results =
        Together.run(
            32,
            i -> {
              try (CallerSession caller = CallerSession.open(database)) {
                boolean accepted =
                    fixture
                        .acceptance()
                        .accept(caller.connection(), request("c" + i, "k" + i, "payload"))
                        .isSuccess();
                caller.commit();
                return accepted;
              }
            });

    assertThat(results).hasSize(32).containsOnly(true);
    assertThat(database.ask("SELECT count(*) FROM durable.work")).isEqualTo("32");
  }

  @Test
  void uncommittedFirstUse_isWaitedForAndJoined() throws SQLException {
    try (CallerSession first = CallerSession.open(database)) {
      fixture.acceptance().accept(first.connection(), request("c1", "k1", "one")).orElseThrow();
      int backend = first.backend();
      CompletableFuture<OperationResult<AcceptedWork>> second =
          Background.supply(() -> fixture.acceptance().accept(request("c2", "k2", "two")));
      Waits.untilBlockedBy(database, backend);

      first.commit();
      assertThat(second).succeedsWithin(20, SECONDS).matches(OperationResult::isSuccess);
    }
    assertThat(database.ask("SELECT count(*) FROM durable.scope_history")).isEqualTo("1");
  }

  @Test
  void firstUseThatRollsBack_leavesItToTheNext() throws SQLException {
    try (CallerSession first = CallerSession.open(database)) {
      fixture.acceptance().accept(first.connection(), request("c1", "k1", "one")).orElseThrow();
      int backend = first.backend();
      CompletableFuture<OperationResult<AcceptedWork>> second =
          Background.supply(() -> fixture.acceptance().accept(request("c1", "k1", "one")));
      Waits.untilBlockedBy(database, backend);

      first.connection().rollback();
      assertThat(second)
          .succeedsWithin(20, SECONDS)
          .matches(result -> !result.orElseThrow().duplicate());
    }
  }

  @Test
  void scopeThatIsDisabledMeanwhile_isJudgedAfterTheWait() throws SQLException {
    fixture.acceptance().accept(request("c1", "k1", "one")).orElseThrow();
    try (var operator = database.operator().getConnection();
        var statement = operator.createStatement()) {
      operator.setAutoCommit(false);
      statement.execute("SELECT set_config('durable.scope_id', 'tenant-1', true)");
      statement.execute("UPDATE durable.scope SET state = 'disabled', generation = 2");
      CompletableFuture<OperationResult<AcceptedWork>> second =
          Background.supply(() -> fixture.acceptance().accept(request("c2", "k2", "two")));
      Waits.untilWaiting(database, 1);

      operator.commit();
      assertThat(second)
          .succeedsWithin(20, SECONDS)
          .isEqualTo(OperationResult.failure(Problem.SCOPE_DISABLED));
    }
    assertThat(database.ask("SELECT count(*) FROM durable.work")).isEqualTo("1");
  }

  @Test
  void acceptance_holdsScopeAndEpochSharedUntilTheCallerEnds() throws SQLException {
    fixture.acceptance().accept(request("c1", "k1", "one")).orElseThrow();
    try (CallerSession caller = CallerSession.open(database);
        CallerSession other = CallerSession.open(database)) {
      fixture.acceptance().accept(caller.connection(), request("c2", "k2", "two")).orElseThrow();

      assertThat(mayLock("durable.scope_lock_key('tenant-1')")).isFalse();
      assertThat(mayLock("durable.epoch_lock_key()")).isFalse();
      // Shared: nobody who accepts in the same scope has to wait.
      other.execute("SET LOCAL lock_timeout = '1s'");
      assertThat(
              fixture
                  .acceptance()
                  .accept(other.connection(), request("c3", "k3", "three"))
                  .isSuccess())
          .isTrue();
      other.commit();
      caller.commit();
      assertThat(mayLock("durable.scope_lock_key('tenant-1')")).isTrue();
    }
  }

  @Test
  void firstUses_ofManyScopesInBatchesDoNotDeadlock() {
    List<Integer> accepted =
        Together.run(
            16,
            i ->
                (int)
                    fixture.acceptance().acceptAll(Requests.inScopes(20, "batch" + i)).stream()
                        .filter(OperationResult::isSuccess)
                        .count());

    assertThat(accepted).hasSize(16).containsOnly(20);
    assertThat(database.ask("SELECT count(*) FROM durable.scope")).isEqualTo("20");
  }

  private boolean mayLock(String key) {
    return database.ask("SELECT pg_try_advisory_xact_lock(" + key + ")").equals("t");
  }
}
