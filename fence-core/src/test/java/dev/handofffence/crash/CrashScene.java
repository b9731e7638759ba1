package dev.handofffence.crash;

import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.NoticeTables;
import dev.handofffence.fixture.WholeHistories;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.DurableRuntimeBuilder;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.PumpResult;
import dev.handofffence.runtime.WorkOperator;
import dev.handofffence.work.CommandOutcome;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkCommand;
import java.util.EnumMap;
import java.util.Map;
import javax.sql.DataSource;

/** A database with one Work of each provider safety, for workers to take and not to finish. */
final class CrashScene implements AutoCloseable {

  private static final ScopeId TENANT = ScopeId.of("tenant-a");

  final DurableDatabase database = DurableDatabase.create();
  private final DurableRuntime runtime = rescuer(Stops.NONE);
  private final Map<ProviderSafety, WorkId> works = new EnumMap<>(ProviderSafety.class);

  CrashScene() {
    NoticeTables.create(database);
  }

  /** Accepts a Work of each provider safety. */
  CrashScene acceptAll() {
    for (ProviderSafety safety : ProviderSafety.values()) {
      accept(safety);
    }
    return this;
  }

  WorkId accept(ProviderSafety safety) {
    String key = safety.name();
    WorkId work =
        runtime
            .work()
            .accept(
                SendNotice.definition(safety)
                    .request(TENANT, CommandId.of(key), IdempotencyKey.of(key), "notice-" + key))
            .orElseThrow()
            .workId();
    works.put(safety, work);
    return work;
  }

  /** Returns a runtime with the contracts of all safeties. */
  static DurableRuntime runtime(
      DataSource runtime, DataSource dispatcher, StoreIdentity store, Stops stops) {
    DurableRuntimeBuilder builder =
        DurableRuntime.builder()
            .runtimeDataSource(runtime)
            .dispatcherDataSource(dispatcher)
            .store(store)
            .concurrency(8);
    for (ProviderSafety safety : ProviderSafety.values()) {
      builder.register(
          SendNotice.definition(safety),
          invocation -> {
            stops.reach(Stop.CLAIMED);
            return new SendNotice(invocation, safety, runtime, stops);
          });
    }
    return builder.build();
  }

  /** Returns a runtime of another worker, in this process. */
  DurableRuntime rescuer(Stops stops) {
    return runtime(database.runtime(), database.dispatcher(), database.store(), stops);
  }

  /** Ends all leases, as if their time had passed. */
  void expireLeases() {
    database.execute(
        "UPDATE durable.dispatch SET lease_expires_at = clock_timestamp() - interval '1 second'"
            + " WHERE lease_owner IS NOT NULL");
  }

  /** Runs one pass of another worker. */
  PumpResult rescue() {
    return runtime.pump().runOnce(PumpPass.of(100));
  }

  /** An operator says that nothing was sent, and wants another attempt. */
  void proveNotApplied(ProviderSafety safety) {
    WorkOperator operator = WorkOperator.of(database.operator(), database.store());
    CommandOutcome proven =
        operator
            .resolve(
                WorkCommand.of(TENANT, work(safety), CommandId.of("prove"), "test", "looked")
                    .expecting(revision(safety)),
                Evidence.notApplied())
            .orElseThrow();
    if (proven.change() == CommandOutcome.Change.STILL_SUSPENDED) {
      operator
          .retry(
              WorkCommand.of(TENANT, work(safety), CommandId.of("retry"), "test", "once more")
                  .expecting(proven.revision()))
          .orElseThrow();
    }
  }

  private long revision(ProviderSafety safety) {
    return Long.parseLong(ask(safety, "SELECT revision FROM durable.work WHERE work_id = ?"));
  }

  WorkId work(ProviderSafety safety) {
    WorkId work = works.get(safety);
    if (work == null) {
      throw new IllegalStateException("Not accepted");
    }
    return work;
  }

  /** State, and the reason of a suspended Work behind a slash. */
  String state(ProviderSafety safety) {
    return ask(
        safety, "SELECT concat_ws('/', state, suspend_reason) FROM durable.work WHERE work_id = ?");
  }

  /** States of the permits, oldest first. */
  String permits(ProviderSafety safety) {
    return ask(
        safety,
        "SELECT string_agg(state, ' ' ORDER BY lease_generation) FROM durable.permit WHERE work_id = ?");
  }

  /** Events of the history with their codes, in order. */
  String history(ProviderSafety safety) {
    return ask(
        safety,
        "SELECT string_agg(concat_ws(':', event, code), ' ' ORDER BY revision, recorded_at) FROM durable.work_history WHERE work_id = ?");
  }

  /** How often the provider was called. */
  int effects(ProviderSafety safety) {
    return Integer.parseInt(ask(safety, "SELECT count(*) FROM app.effect WHERE work_id = ?"));
  }

  /** Attempt that the ledger names; 0 when it has no row. */
  int preparedAttempt(ProviderSafety safety) {
    return Integer.parseInt(
        database.ask(
            "SELECT coalesce(max(attempt), 0) FROM app.ledger WHERE operation = 'notice-"
                + safety
                + "'"));
  }

  /** Attempt numbers and lease generations of the claims, which must be used once. */
  String claims(ProviderSafety safety) {
    return ask(
        safety,
        "SELECT string_agg(attempt || '/' || lease_generation, ' ' ORDER BY revision)"
            + " FROM durable.work_history WHERE event = 'claimed' AND work_id = ?");
  }

  /** Whether the provider knows this Work by one key only, the one fixed at acceptance. */
  boolean isKeyedByItsActivity(ProviderSafety safety) {
    return ask(
            safety,
            "SELECT count(*) = 0 FROM app.effect e JOIN durable.work_snapshot s USING (work_id)"
                + " WHERE e.activity_id <> s.activity_id AND work_id = ?")
        .equals("t");
  }

  boolean isDispatched(ProviderSafety safety) {
    return ask(safety, "SELECT count(*) = 1 FROM durable.dispatch WHERE work_id = ?").equals("t");
  }

  private String ask(ProviderSafety safety, String sql) {
    return database.ask(sql.replace("?", "'" + work(safety) + "'"));
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
