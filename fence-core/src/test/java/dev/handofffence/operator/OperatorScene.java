package dev.handofffence.operator;

import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.WholeHistories;
import dev.handofffence.internal.claim.Candidate;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.EncodedResult;
import dev.handofffence.internal.claim.ExitKind;
import dev.handofffence.internal.transaction.StoreConnection;
import dev.handofffence.internal.work.Claims;
import dev.handofffence.internal.work.Completions;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.internal.work.Permits;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.EpochChange;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.StoreAdministration;
import dev.handofffence.runtime.WorkOperator;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A database with an operator, and Works brought to every state by the executor's own steps. */
public final class OperatorScene implements AutoCloseable {

  /** Long enough that a retry never comes by itself. */
  public static final RetryPolicy MUCH_LATER =
      RetryPolicy.attempts(3).withDelays(Duration.ofHours(1), Duration.ofHours(1));

  public final DurableDatabase database = DurableDatabase.create();
  private final UUID worker = UUID.randomUUID();
  private StoreIdentity store = database.store();

  /** Where a Work has got to. */
  public enum At {
    READY,
    /** Waits for another attempt after one whose outcome is unknown. */
    READY_IN_DOUBT,
    CLAIMED,
    CLAIMED_IN_DOUBT,
    PERMITTED,
    SUSPENDED_IN_DOUBT,
    /** Its contract was not there; nothing was ever permitted. */
    SUSPENDED_FOR_CONTRACT,
    SUCCEEDED,
    FAILED,
    CANCELED
  }

  public static WorkDefinition<String, String> definition(
      ProviderSafety safety, RetryPolicy retry) {
    return WorkDefinition.named("notes.send", "v1")
        .payload(PayloadCodecs.text())
        .result(PayloadCodecs.text())
        .providerSafety(safety)
        .retry(retry)
        .build();
  }

  public static ScopeId newScope() {
    return ScopeId.of("tenant-" + UUID.randomUUID());
  }

  public static CommandId newCommand() {
    return CommandId.of(UUID.randomUUID().toString());
  }

  public static WorkCommand command(ScopeId scope, WorkId work) {
    return WorkCommand.of(scope, work, newCommand(), "olga", "ticket 7");
  }

  /** A command that expects the Work as it is now. */
  public WorkCommand currentCommand(ScopeId scope, WorkId work) {
    return command(scope, work)
        .expecting(operator().find(scope, work).orElseThrow().work().revision());
  }

  public StoreIdentity store() {
    return store;
  }

  public WorkOperator operator() {
    return WorkOperator.of(database.operator(), store);
  }

  public StoreAdministration administration() {
    return StoreAdministration.of(database.owner());
  }

  /** Rotates the epoch; what the scene does from now on belongs to the new one. */
  public void rotateEpoch() {
    store =
        administration()
            .rotateEpoch(store.epoch(), EpochChange.of(UUID.randomUUID(), "dora", "restored"))
            .orElseThrow();
  }

  public DurableRuntime runtime(
      WorkDefinition<String, String> definition, WorkExecutorFactory<String, String> executors) {
    return DurableRuntime.builder()
        .runtimeDataSource(database.runtime())
        .dispatcherDataSource(database.dispatcher())
        .store(store)
        .concurrency(8)
        .register(definition, executors)
        .build();
  }

  public void pump(
      WorkDefinition<String, String> definition, WorkExecutorFactory<String, String> executors) {
    runtime(definition, executors).pump().runOnce(PumpPass.of(100));
  }

  public WorkId accept(ScopeId scope, ProviderSafety safety) {
    return accept(scope, definition(safety, MUCH_LATER), UnaryOperator.identity());
  }

  public WorkId accept(
      ScopeId scope,
      WorkDefinition<String, String> definition,
      UnaryOperator<WorkRequest<String, String>> change) {
    String key = UUID.randomUUID().toString();
    WorkRequest<String, String> request =
        definition.request(scope, CommandId.of(key), IdempotencyKey.of(key), "a note");
    return runtime(definition, invocation -> (work, token) -> WorkExit.succeeded(""))
        .work()
        .accept(change.apply(request))
        .orElseThrow()
        .workId();
  }

  /** Accepts a Work and takes it there. */
  public WorkId workAt(At at, ScopeId scope, ProviderSafety safety) throws SQLException {
    return takeTo(at, scope, accept(scope, safety));
  }

  /** Takes a new Work there. */
  public WorkId takeTo(At at, ScopeId scope, WorkId work) throws SQLException {
    switch (at) {
      case READY -> {}
      case READY_IN_DOUBT, SUSPENDED_IN_DOUBT -> report(permit(claim(scope, work)), "lost");
      case CLAIMED -> claim(scope, work);
      case CLAIMED_IN_DOUBT -> {
        report(permit(claim(scope, work)), "lost");
        makeDue(work);
        claim(scope, work);
      }
      case PERMITTED -> permit(claim(scope, work));
      case SUSPENDED_FOR_CONTRACT -> giveUp(claim(scope, work));
      case SUCCEEDED ->
          complete(
              Completion.succeeded(
                  permit(claim(scope, work)), new EncodedResult("text", new byte[] {'x'})));
      case FAILED ->
          complete(
              Completion.withoutResult(
                  permit(claim(scope, work)), ExitKind.FAILED_WITHOUT_EFFECT, "refused"));
      case CANCELED -> operator().cancel(command(scope, work)).orElseThrow();
    }
    return work;
  }

  public Claim claim(ScopeId scope, WorkId work) throws SQLException {
    try (StoreConnection connection = new StoreConnection(database.runtime())) {
      return new Claims(store, worker)
          .take(connection, List.of(new Candidate(scope, work, 0)))
          .claimed()
          .get(0)
          .claim();
    }
  }

  public Claim permit(Claim claim) throws SQLException {
    try (StoreConnection connection = new StoreConnection(database.runtime())) {
      if (!new Permits(store).grant(connection, List.of(claim)).permitted().containsKey(claim)) {
        throw new IllegalStateException("Not permitted");
      }
      return claim;
    }
  }

  /** Whether a claim is still allowed an effect. */
  public boolean isPermitted(Claim claim) throws SQLException {
    try (StoreConnection connection = new StoreConnection(database.runtime())) {
      return new Permits(store).grant(connection, List.of(claim)).permitted().containsKey(claim);
    }
  }

  public Ending report(Claim claim, String ambiguity) throws SQLException {
    return complete(Completion.withoutResult(claim, ExitKind.AMBIGUOUS, ambiguity));
  }

  public Ending complete(Completion completion) throws SQLException {
    try (StoreConnection connection = new StoreConnection(database.runtime())) {
      return new Completions(store)
          .record(connection, List.of(completion), Set.of())
          .values()
          .iterator()
          .next();
    }
  }

  private void giveUp(Claim claim) throws SQLException {
    try (StoreConnection connection = new StoreConnection(database.runtime())) {
      new Claims(store, worker).giveUp(connection, claim, "contract_unregistered");
    }
  }

  /** What the database's clock does by itself, sooner. */
  public void makeDue(WorkId work) {
    database.execute(
        "UPDATE durable.dispatch SET due_at = clock_timestamp() WHERE work_id = '" + work + "'");
  }

  /** State, and the reason of a suspended Work behind a slash. */
  public String state(WorkId work) {
    return ask("SELECT concat_ws('/', state, suspend_reason) FROM durable.work", work);
  }

  /** Events of the history with their codes, in order. */
  public String history(WorkId work) {
    return ask(
        "SELECT string_agg(concat_ws(':', event, code), ' ' ORDER BY entry) FROM durable.work_history",
        work);
  }

  /** States of the permits, oldest first; "null" when there is none. */
  public String permits(WorkId work) {
    return ask("SELECT string_agg(state, ' ' ORDER BY lease_generation) FROM durable.permit", work);
  }

  public boolean isDispatched(WorkId work) {
    return ask("SELECT count(*) FROM durable.dispatch", work).equals("1");
  }

  public boolean isCancelRequested(WorkId work) {
    return ask("SELECT cancel_requested_at IS NOT NULL FROM durable.work", work).equals("t");
  }

  /** Returns a text that changes with anything that is kept about a Work. */
  public String everythingOf(WorkId work) {
    return database.ask(
        """
        SELECT string_agg(t, ' ' ORDER BY t) FROM (
            SELECT w::text FROM durable.work w WHERE work_id = '%1$s'
            UNION ALL SELECT d::text FROM durable.dispatch d WHERE work_id = '%1$s'
            UNION ALL SELECT p::text FROM durable.permit p WHERE work_id = '%1$s'
            UNION ALL SELECT r::text FROM durable.work_result r WHERE work_id = '%1$s'
            UNION ALL SELECT h::text FROM durable.work_history h WHERE work_id = '%1$s'
            UNION ALL SELECT c::text FROM durable.operator_command c WHERE work_id = '%1$s'
            ) AS rows (t)
        """
            .formatted(work));
  }

  private String ask(String select, WorkId work) {
    return database.ask(select + " WHERE work_id = '" + work + "'");
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
