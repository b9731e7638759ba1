package dev.handofffence.acceptance;

import static dev.handofffence.acceptance.Requests.SCOPE;
import static dev.handofffence.acceptance.Requests.SEND;
import static dev.handofffence.acceptance.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.AttemptPlan;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What is written is what was asked for, by the database's clock. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SnapshotTest {

  private final AcceptanceFixture fixture = new AcceptanceFixture();
  private final DurableDatabase database = fixture.database();

  @AfterAll
  void close() {
    fixture.close();
  }

  @Test
  void everyPartOfADefinition_isKept() {
    WorkDefinition<byte[], String> definition =
        WorkDefinition.named("invoices.print", "2024-11")
            .payload(PayloadCodecs.bytes())
            .result(PayloadCodecs.text())
            .providerSafety(ProviderSafety.RECONCILE_BEFORE_RETRY)
            .retry(
                RetryPolicy.attempts(7)
                    .withDelays(Duration.ofMillis(1500), Duration.ofDays(45))
                    .withElapsedHorizon(Duration.ofDays(300)))
            .lease(LeasePolicy.of(Duration.ofMillis(250), Duration.ofHours(30)))
            .build();

    AcceptedWork work =
        fixture
            .acceptance()
            .accept(
                definition
                    .request(
                        SCOPE,
                        CommandId.of("c1"),
                        IdempotencyKey.of("k1"),
                        new byte[] {0, 1, (byte) 0xff})
                    .withPriority(9))
            .orElseThrow();

    assertThat(
            snapshot(
                work,
                "contract_name, contract_version, payload_format, payload, payload_sha256 = sha256(payload),"
                    + " provider_safety, priority, max_attempts"))
        .isEqualTo("(invoices.print,2024-11,bytes,\"\\\\x0001ff\",t,reconcile_before_retry,9,7)");
    // Exact lengths of time: no days, no months.
    assertThat(
            snapshot(
                work,
                "retry_initial, retry_maximum, elapsed_horizon, lease_duration, lease_max_lifetime,"
                    + " attempt_offsets, circuit_duration"))
        .isEqualTo("(00:00:01.5,1080:00:00,7200:00:00,00:00:00.25,30:00:00,,)");
  }

  @Test
  void delay_countsFromAcceptanceByTheDatabase() {
    AcceptedWork work =
        accept(request("c2", "k2", "later").withDelay(Duration.ofDays(366).minusNanos(1000)));

    assertThat(
            database.ask(
                """
                SELECT extract(epoch FROM d.due_at - s.accepted_at) || ' '
                    || (s.accepted_at = i.accepted_at) || ' ' || (s.accepted_at = h.recorded_at) || ' '
                    || (clock_timestamp() - s.accepted_at < interval '1 minute')
                FROM durable.dispatch d JOIN durable.work_snapshot s USING (work_id)
                  JOIN durable.work_identity i USING (work_id) JOIN durable.work_history h USING (work_id)
                WHERE work_id = '%s'
                """
                    .formatted(work.workId())))
        .isEqualTo("31622399.999999 true true true");
  }

  @Test
  void attemptPlan_givesTheAttemptsAndTheirOffsets() {
    AcceptedWork work =
        accept(
            request("c3", "k3", "planned")
                .withAttemptPlan(
                    new AttemptPlan(
                        List.of(Duration.ZERO, Duration.ofNanos(1000), Duration.ofDays(2)),
                        Duration.ofDays(3))));

    assertThat(snapshot(work, "max_attempts, attempt_offsets, circuit_duration"))
        .isEqualTo("(3,\"{0,1,172800000000}\",72:00:00)");
  }

  @Test
  void plansOfDifferentLengths_fitIntoOneBatch() {
    List<OperationResult<AcceptedWork>> results =
        fixture
            .acceptance()
            .acceptAll(
                List.of(
                    request("c4", "k4", "x").withAttemptPlan(plan(1)),
                    request("c5", "k5", "x"),
                    request("c6", "k6", "x").withAttemptPlan(plan(256))));

    assertThat(
            results.stream()
                .map(r -> snapshot(r.orElseThrow(), "max_attempts, cardinality(attempt_offsets)")))
        .containsExactly("(1,1)", "(10,)", "(256,256)");
  }

  @Test
  void deadline_isKeptToTheMicrosecondAndNeverLater() {
    Instant deadline = Instant.parse("2900-01-02T03:04:05.123456789Z");
    AcceptedWork work = accept(request("c7", "k7", "x").withDeadline(deadline));

    assertThat(
            database.ask(
                "SELECT deadline_at AT TIME ZONE 'UTC' FROM durable.work WHERE work_id = '"
                    + work.workId()
                    + "'"))
        .isEqualTo("2900-01-02 03:04:05.123456");
    assertThat(accept(request("c7", "k7", "x").withDeadline(deadline.minusNanos(789))).duplicate())
        .as("the same deadline, as the store keeps it")
        .isTrue();
  }

  @Test
  void deadlineThatPassed_refusesNewWorkButNotARepetition() {
    WorkRequest<String, String> request = request("c8", "k8", "x");
    Instant soon =
        Instant.parse(
            database.ask(
                "SELECT to_char((clock_timestamp() + interval '2 seconds') AT TIME ZONE 'UTC',"
                    + " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"));
    AcceptedWork work = accept(request.withDeadline(soon));
    database.ask("SELECT pg_sleep_until('" + soon + "')");

    assertThat(accept(request.withDeadline(soon)))
        .isEqualTo(new AcceptedWork(work.workId(), work.activityId(), true));
    assertThat(fixture.acceptance().accept(request("c9", "k9", "x").withDeadline(soon)))
        .isEqualTo(OperationResult.failure(Problem.DEADLINE_PASSED));
    assertThat(database.ask("SELECT count(*) FROM durable.work_identity WHERE command_id = 'c9'"))
        .isEqualTo("0");
  }

  @Test
  void acceptedWork_isDiscoverableByItsContract() throws Exception {
    AcceptedWork work = accept(request("c10", "k10", "x").withPriority(8));

    try (var connection = database.dispatcher().getConnection();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT work_id FROM durable.discover(ARRAY ['%s'], ARRAY ['%s'], 1)"
                    .formatted(SEND.name(), SEND.version()))) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).isEqualTo(work.workId().toString());
    }
  }

  private AcceptedWork accept(WorkRequest<?, ?> request) {
    return fixture.acceptance().accept(request).orElseThrow();
  }

  private String snapshot(AcceptedWork work, String columns) {
    return database.ask(
        "SELECT (%s)::text FROM durable.work_snapshot WHERE work_id = '%s'"
            .formatted(columns.contains(",") ? "ROW(" + columns + ")" : columns, work.workId()));
  }

  private static AttemptPlan plan(int attempts) {
    return new AttemptPlan(
        java.util.stream.IntStream.range(0, attempts).mapToObj(Duration::ofMinutes).toList(),
        Duration.ofMinutes(attempts));
  }
}
