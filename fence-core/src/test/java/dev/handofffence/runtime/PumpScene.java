package dev.handofffence.runtime;

import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.WholeHistories;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkRequest;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A database, and runtimes on it whose Work carries a line of text. */
final class PumpScene implements AutoCloseable {

  static final ScopeId TENANT = ScopeId.of("tenant-a");
  static final RetryPolicy SOON =
      RetryPolicy.attempts(3).withDelays(Duration.ofMillis(1), Duration.ofMillis(1));

  private static final AtomicInteger CONTRACTS = new AtomicInteger();

  final DurableDatabase database = DurableDatabase.create();

  /** Each definition is a contract of its own, so that tests do not discover each other's Work. */
  static WorkDefinition<String, String> definition(ProviderSafety safety) {
    return definition(safety, SOON, LeasePolicy.standard());
  }

  static WorkDefinition<String, String> definition(
      ProviderSafety safety, RetryPolicy retry, LeasePolicy lease) {
    return WorkDefinition.named("notes.send-" + CONTRACTS.incrementAndGet(), "v1")
        .payload(PayloadCodecs.text())
        .result(PayloadCodecs.text())
        .providerSafety(safety)
        .retry(retry)
        .lease(lease)
        .build();
  }

  DurableRuntimeBuilder builder() {
    return DurableRuntime.builder()
        .runtimeDataSource(database.runtime())
        .dispatcherDataSource(database.dispatcher())
        .store(database.store())
        .concurrency(8);
  }

  DurableRuntime runtime(
      WorkDefinition<String, String> definition, WorkExecutorFactory<String, String> executors) {
    return builder().register(definition, executors).build();
  }

  WorkId accept(DurableRuntime runtime, WorkDefinition<String, String> definition) {
    return accept(runtime, definition, UnaryOperator.identity());
  }

  WorkId accept(
      DurableRuntime runtime,
      WorkDefinition<String, String> definition,
      UnaryOperator<WorkRequest<String, String>> change) {
    return accept(runtime, definition, TENANT, change);
  }

  WorkId accept(
      DurableRuntime runtime,
      WorkDefinition<String, String> definition,
      ScopeId scope,
      UnaryOperator<WorkRequest<String, String>> change) {
    WorkRequest<String, String> request = change.apply(request(definition, scope));
    return runtime.work().accept(request).orElseThrow().workId();
  }

  static WorkRequest<String, String> request(
      WorkDefinition<String, String> definition, ScopeId scope) {
    String key = UUID.randomUUID().toString();
    return definition.request(scope, CommandId.of(key), IdempotencyKey.of(key), "a note");
  }

  /** State, and the reason of a suspended Work behind a slash. */
  String state(WorkId work) {
    return database.ask(
        "SELECT concat_ws('/', state, suspend_reason) FROM durable.work WHERE work_id = '%s'"
            .formatted(work));
  }

  /** Events of the history with their codes, in order. */
  String history(WorkId work) {
    return database.ask(
        "SELECT string_agg(concat_ws(':', event, code), ' ' ORDER BY revision, recorded_at) FROM durable.work_history WHERE work_id = '%s'"
            .formatted(work));
  }

  /** States of the permits, oldest first. */
  String permits(WorkId work) {
    return database.ask(
        "SELECT string_agg(state, ' ' ORDER BY lease_generation) FROM durable.permit WHERE work_id = '%s'"
            .formatted(work));
  }

  boolean isDispatched(WorkId work) {
    return database
        .ask("SELECT count(*) FROM durable.dispatch WHERE work_id = '%s'".formatted(work))
        .equals("1");
  }

  /** Changes columns of a row of this Work, as the superuser. */
  void change(String table, WorkId work, String assignments) {
    database.inScope(
        TENANT.value(),
        "SET LOCAL session_replication_role = replica; UPDATE durable.%s SET %s WHERE work_id = '%s'"
            .formatted(table, assignments, work));
  }

  void expireLease(WorkId work) {
    change("dispatch", work, "lease_expires_at = clock_timestamp() - interval '1 second'");
  }

  void makeDue(WorkId work) {
    change("dispatch", work, "due_at = clock_timestamp() - interval '1 second'");
  }

  void requestCancellation(WorkId work) {
    change("work", work, "cancel_requested_at = clock_timestamp()");
  }

  @Override
  public void close() {
    try {
      WholeHistories.check(database);
    } finally {
      database.close();
    }
  }
}
