package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.fixture.ApplicationSchema;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.testing.PostgresServer;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutor;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkInvocation;
import dev.handofffence.work.WorkRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Proof 32: the server crashes and restarts under load; nothing is lost and nothing doubled. */
@Timeout(300)
class HostRestartTest {

  private static final int WORKS = 300;
  private static final int RESTARTS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final WorkDefinition<String, String> SEND =
      PumpScene.definition(
          ProviderSafety.PROVIDER_KEYED,
          RetryPolicy.attempts(1_000).withDelays(Duration.ofMillis(10), Duration.ofMillis(200)),
          LeasePolicy.of(Duration.ofSeconds(2), Duration.ofMinutes(5)));

  private final PostgresServer server = PostgresServer.startDurable();
  private final DurableDatabase database = DurableDatabase.create(server);

  /** Effects by provider key: a repeated call with a known key has none. */
  private final Map<String, String> effects = new ConcurrentHashMap<>();

  private final AtomicInteger calls = new AtomicInteger();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void workers_comeBackAndNothingIsLostOrDoubled() {
    ApplicationSchema.create(database);
    List<DurableRuntime> workers = List.of(runtime(), runtime());
    List<WorkerHost> hosts =
        workers.stream().map(worker -> worker.startHost(HostScene.quick().build())).toList();
    CompletableFuture<Void> load = Background.run(() -> acceptAll(runtime()));

    for (int restart = 1; restart <= RESTARTS; restart++) {
      int share = restart * WORKS / (RESTARTS + 1);
      HostScene.until(() -> effects.size() >= share || load.isCompletedExceptionally());
      server.restart();
    }

    load.join();
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> count("SELECT count(*) FROM durable.work WHERE state <> 'succeeded'") == 0);
    // One host may have done the rest while the other was still between two tries to connect.
    hosts.forEach(host -> HostScene.until(() -> host.health().isHealthy()));
    hosts.forEach(host -> assertThat(host.drain(HostScene.PATIENCE)).isTrue());
    assertThat(count("SELECT count(*) FROM durable.work")).isEqualTo(WORKS);
    assertThat(effects).hasSize(WORKS);
    assertThat(count("SELECT count(*) FROM app.ledger")).isEqualTo(WORKS);
    assertThat(
            count(
                "SELECT count(*) FROM durable.work_snapshot WHERE activity_id::text NOT IN (SELECT operation FROM app.ledger)"))
        .as("activities never handed off")
        .isZero();
    assertThat(
            count(
                "SELECT count(*) FROM (SELECT FROM durable.permit GROUP BY scope_id, work_id, attempt HAVING count(*) > 1) AS twice"))
        .as("attempt numbers used twice")
        .isZero();
    assertThat(calls.get())
        .as("calls of the provider, without a permit for each")
        .isLessThanOrEqualTo(count("SELECT count(*) FROM durable.permit"));
  }

  /** Repeats a command whose outcome it does not know, as an application does. */
  private void acceptAll(DurableRuntime client) {
    List<Integer> left = new ArrayList<>(IntStream.range(0, WORKS).boxed().toList());
    while (!left.isEmpty()) {
      try {
        client.work().accept(request(left.get(0))).orElseThrow();
        left.remove(0);
      } catch (DurableException | DataAccessException e) {
        LockSupport.parkNanos(10_000_000); // the server is away; the same command again
      }
    }
  }

  private static WorkRequest<String, String> request(int number) {
    return SEND.request(
        ScopeId.of("tenant-" + number % 5),
        CommandId.of("command-" + number),
        IdempotencyKey.of("key-" + number),
        "a note");
  }

  private DurableRuntime runtime() {
    return DurableRuntime.builder()
        .runtimeDataSource(database.runtime())
        .dispatcherDataSource(database.dispatcher())
        .store(database.store())
        .concurrency(4)
        .register(SEND, this::executor)
        .build();
  }

  /** Hands off in a transaction of its own, and sends only what it knows to be committed. */
  private WorkExecutor<String, String> executor(WorkInvocation invocation) {
    return (work, cancellation) -> {
      String key = work.activityId().toString();
      try (Connection transaction = database.runtime().getConnection()) {
        transaction.setAutoCommit(false);
        var handoff =
            invocation
                .handoffFence()
                .execute(transaction, (given, token) -> prepare(given, key), cancellation);
        if (!handoff.isSuccess()) {
          return WorkExit.retryBeforeEffect("refused");
        }
        transaction.commit();
      } catch (SQLException | DataAccessException | DurableException e) {
        return WorkExit.retryBeforeEffect("database");
      }
      send(key);
      return WorkExit.succeeded("sent");
    };
  }

  /** What an earlier attempt prepared is prepared again: the provider knows its key. */
  private static boolean prepare(Connection transaction, String key) throws SQLException {
    ApplicationSchema.record(transaction, key);
    return true;
  }

  private void send(String key) {
    calls.incrementAndGet();
    effects.putIfAbsent(key, "done");
  }

  private int count(String question) {
    try {
      return Integer.parseInt(database.ask(question));
    } catch (IllegalStateException e) {
      return -1; // the server is still starting
    }
  }
}
