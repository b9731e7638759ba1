package dev.handofffence.acceptance;

import static dev.handofffence.acceptance.Requests.SCOPE;
import static dev.handofffence.acceptance.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.CountingConnections;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.internal.work.Acceptance;
import dev.handofffence.internal.work.AcceptanceLimits;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.WorkRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many requests at once: a result for each, and as few round trips as for one. */
class BatchTest {

  private final AcceptanceFixture fixture = new AcceptanceFixture();
  private final DurableDatabase database = fixture.database();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void everyRequest_hasItsOwnResultInItsPlace() {
    AcceptedWork known = fixture.acceptance().accept(request("c1", "k1", "one")).orElseThrow();
    ScopeId disabled = ScopeId.of("disabled");
    fixture.acceptance().accept(request(disabled, "c", "k", "x")).orElseThrow();
    fixture.disableScope(disabled);

    List<OperationResult<AcceptedWork>> results =
        fixture
            .acceptance()
            .acceptAll(
                List.of(
                    request(ScopeId.of("zulu"), "c", "k", "in a new scope"),
                    request("c1", "k1", "one"),
                    request(disabled, "c9", "k9", "x"),
                    request("c1", "k1", "other"),
                    request("c2", "k2", "two"),
                    request("c3", "k3", "late").withDeadline(Instant.parse("2001-01-01T00:00:00Z")),
                    request(ScopeId.of("alpha"), "c", "k", "in another new scope")));

    assertThat(results).hasSize(7);
    assertThat(results.get(0)).matches(BatchTest::isNew);
    assertThat(results.get(1))
        .isEqualTo(
            OperationResult.success(new AcceptedWork(known.workId(), known.activityId(), true)));
    assertThat(results.get(2)).isEqualTo(OperationResult.failure(Problem.SCOPE_DISABLED));
    assertThat(results.get(3)).isEqualTo(OperationResult.failure(Problem.COMMAND_CONFLICT));
    assertThat(results.get(4)).matches(BatchTest::isNew);
    assertThat(results.get(5)).isEqualTo(OperationResult.failure(Problem.DEADLINE_PASSED));
    assertThat(results.get(6)).matches(BatchTest::isNew);
    assertThat(database.ask("SELECT count(*) FROM durable.work")).isEqualTo("5");
  }

  @Test
  void sameCommandTwiceInOneBatch_isAcceptedOnce() {
    List<OperationResult<AcceptedWork>> results =
        fixture
            .acceptance()
            .acceptAll(
                List.of(
                    request("c1", "k1", "one"),
                    request("c1", "k1", "one"),
                    request("c1", "k1", "other")));

    assertThat(results.get(0)).matches(BatchTest::isNew);
    assertThat(results.get(1).orElseThrow().workId())
        .isEqualTo(results.get(0).orElseThrow().workId());
    assertThat(results.get(1).orElseThrow().duplicate()).isTrue();
    assertThat(results.get(2)).isEqualTo(OperationResult.failure(Problem.COMMAND_CONFLICT));
  }

  @Test
  void thousandRequests_areOneRoundTrip() {
    fixture.acceptance().accept(request("c0", "k0", "first use")).orElseThrow();
    CountingConnections connections = new CountingConnections(database.runtime());

    List<OperationResult<AcceptedWork>> results = acceptAll(connections, thousand());

    assertThat(results).hasSize(1000).allMatch(BatchTest::isNew);
    assertThat(connections.trips()).isEqualTo(1);
    assertThat(database.ask("SELECT count(*) FROM durable.dispatch")).isEqualTo("1001");
  }

  @Test
  void oneRequest_isOneRoundTripAndTwoForAFirstUse() {
    CountingConnections connections = new CountingConnections(database.runtime());

    acceptAll(connections, List.of(request("c1", "k1", "one")));
    assertThat(connections.trips()).as("first use of the scope").isEqualTo(2);
    acceptAll(connections, List.of(request("c2", "k2", "two")));
    assertThat(connections.trips()).as("and then").isEqualTo(3);
    acceptAll(connections, List.of(request("c2", "k2", "two")));
    assertThat(connections.trips()).as("a duplicate").isEqualTo(4);
  }

  @Test
  void oneRequestInTheCallersTransaction_isOneRoundTrip() throws SQLException {
    fixture.acceptance().accept(request("c0", "k0", "first use")).orElseThrow();
    CountingConnections connections = new CountingConnections(database.runtime());
    try (var caller = connections.getConnection()) {
      caller.setAutoCommit(false);
      fixture.acceptance().accept(caller, request("c1", "k1", "one")).orElseThrow();
      fixture.acceptance().accept(caller, request("c1", "k1", "other"));
      caller.commit();
    }
    assertThat(connections.trips()).isEqualTo(2);
  }

  @Test
  void batchInTheCallersTransaction_isAllOrNothing() throws SQLException {
    try (CallerSession caller = CallerSession.open(database)) {
      assertThat(fixture.acceptance().acceptAll(caller.connection(), Requests.inScopes(5, "c1")))
          .allMatch(BatchTest::isNew);
      assertThat(caller.scope()).isEmpty();
      caller.connection().rollback();
    }
    assertThat(database.ask("SELECT count(*) FROM durable.work")).isEqualTo("0");
  }

  @Test
  void scopes_areLockedInTheirOrder() throws SQLException {
    List<WorkRequest<String, String>> backwards = Requests.inScopes(3, "c1");
    fixture.acceptance().acceptAll(backwards);
    try (CallerSession holder = CallerSession.open(database);
        CallerSession caller = CallerSession.open(database)) {
      holder.execute("SELECT pg_advisory_xact_lock(durable.scope_lock_key('scope-1'))");
      caller.execute("SET LOCAL lock_timeout = '100ms'");
      caller.execute("SAVEPOINT before");
      // Stops at scope-1, with scope-0 locked and scope-2 not: the error says where it stood.
      assertThatThrownBy(
              () -> fixture.acceptance().acceptAll(caller.connection(), Requests.inScopes(3, "c2")))
          .hasMessageContaining("55P03");
      assertThat(fixture.acceptance().accept(caller.connection(), backwards.get(0)).isSuccess())
          .isTrue();
    }
  }

  @Test
  void emptyBatch_isNoRoundTrip() throws SQLException {
    CountingConnections connections = new CountingConnections(database.runtime());

    assertThat(acceptAll(connections, List.of())).isEmpty();
    assertThat(connections.trips()).isZero();
  }

  @Test
  void batchThatIsTooLarge_isRefusedBeforeAnySql() {
    CountingConnections connections = new CountingConnections(database.runtime());
    List<WorkRequest<String, String>> tooMany =
        Collections.nCopies(1001, request("c1", "k1", "one"));

    assertThatThrownBy(() -> acceptAll(connections, tooMany))
        .hasMessageContaining("DUR100")
        .hasMessageContaining("1001 requests");
    assertThatThrownBy(() -> acceptAll(connections, Requests.inScopes(41, "c1")))
        .hasMessageContaining("DUR100")
        .hasMessageContaining("41 scopes");
    assertThat(connections.opened()).isZero();
  }

  @Test
  void mostScopesAllowed_areAccepted() {
    assertThat(fixture.acceptance().acceptAll(Requests.inScopes(40, "c1")))
        .hasSize(40)
        .allMatch(BatchTest::isNew);
    assertThat(fixture.acceptance().acceptAll(Requests.inScopes(40, "c2")))
        .hasSize(40)
        .allMatch(BatchTest::isNew);
  }

  private List<OperationResult<AcceptedWork>> acceptAll(
      CountingConnections connections, List<WorkRequest<String, String>> requests) {
    return new Acceptance(database.store(), connections, AcceptanceLimits.standard())
        .acceptAll(requests);
  }

  private static List<WorkRequest<String, String>> thousand() {
    return IntStream.range(1, 1001)
        .mapToObj(n -> request(SCOPE, "c" + n, "k" + n, "payload " + n))
        .toList();
  }

  private static boolean isNew(OperationResult<AcceptedWork> result) {
    return result.isSuccess() && !result.orElseThrow().duplicate();
  }
}
