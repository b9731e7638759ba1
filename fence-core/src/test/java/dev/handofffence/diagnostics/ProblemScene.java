package dev.handofffence.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.handofffence.CancellationToken;
import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.GatedConnections;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.handoff.HandoffResult;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.DurableRuntimeBuilder;
import dev.handofffence.runtime.EpochChange;
import dev.handofffence.runtime.HostHealth;
import dev.handofffence.runtime.HostOptions;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.StoreAdministration;
import dev.handofffence.runtime.WorkOperator;
import dev.handofffence.runtime.WorkerHost;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.ScopeCommand;
import dev.handofffence.work.SuspendReason;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkQuery;
import dev.handofffence.work.WorkRequest;
import dev.handofffence.work.WorkView;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** What an application, an operator or a deployer does to get each problem. */
final class ProblemScene implements AutoCloseable {

  private static final ScopeId SCOPE = ScopeId.of("shop-1");
  private static final WorkDefinition<String, String> SEND =
      WorkDefinition.named("notes.send", "v1")
          .payload(PayloadCodecs.text())
          .result(PayloadCodecs.text())
          .providerSafety(ProviderSafety.MANUAL_RESOLUTION)
          .build();

  private final DurableDatabase database = DurableDatabase.create();

  Problem oversizedPayload() {
    DurableRuntime runtime = builder(database.store()).maxPayloadBytes(1).build();
    return thrownBy(() -> runtime.work().accept(request("c", "too long")));
  }

  Problem acceptanceWithoutATransaction() throws SQLException {
    try (Connection autocommit = database.runtime().getConnection()) {
      return thrownBy(() -> runtime().work().accept(autocommit, request("c", "a note")));
    }
  }

  Problem sameCommandWithAnotherContent() {
    accept();
    return refused(runtime().work().accept(request("c", "another note")));
  }

  Problem databaseThatDoesNotExist() {
    PGSimpleDataSource nowhere = (PGSimpleDataSource) database.runtime();
    nowhere.setDatabaseName("there_is_no_such_database");
    return thrownBy(() -> StoreAdministration.of(nowhere).status());
  }

  Problem acceptanceInADisabledScope() {
    accept();
    ScopeCommand command = ScopeCommand.of(SCOPE, CommandId.of("off"), "olga", "left");
    operator().disableScope(command, Duration.ofSeconds(10)).orElseThrow();
    return refused(runtime().work().accept(request("c-2", "a note")));
  }

  Problem anotherEpochInitialised() {
    return refused(
        StoreAdministration.of(database.owner())
            .initialiseEpoch(EpochChange.of(UUID.randomUUID(), "dora", "a mistake")));
  }

  Problem acceptanceInAnotherStore() {
    StoreIdentity other = StoreIdentity.of(UUID.randomUUID(), database.store().epoch());
    return refused(builder(other).build().work().accept(request("c", "a note")));
  }

  Problem acceptanceAfterItsDeadline() {
    return refused(
        runtime().work().accept(request("c", "a note").withDeadline(Instant.EPOCH.plusSeconds(1))));
  }

  Problem suspendedByAFactoryThatThrows() {
    return suspendedBy(
        invocation -> {
          throw new IllegalStateException("no such bean");
        });
  }

  Problem suspendedByAnExecutorThatThrows() {
    return suspendedBy(
        invocation ->
            (work, token) -> {
              throw new IllegalStateException("the answer was lost");
            });
  }

  Problem cancellationOfCanceledWork() {
    WorkId work = accept();
    runtime().cancellation().cancel(command(work, "cancel-1")).orElseThrow();
    return refused(runtime().cancellation().cancel(command(work, "cancel-2")));
  }

  Problem cancellationOfUnknownWork() {
    accept();
    return refused(runtime().cancellation().cancel(command(unknown(), "cancel")));
  }

  Problem cancellationInAnUnknownScope() {
    return refused(runtime().cancellation().cancel(command(unknown(), "cancel")));
  }

  Problem cancellationOfAnEarlierRevision() {
    WorkCommand stale = command(accept(), "cancel").expecting(99);
    return refused(runtime().cancellation().cancel(stale));
  }

  Problem cancellationOfLockedWork() throws SQLException {
    WorkId work = accept();
    try (Connection rival = database.superuser().getConnection();
        var statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute("SELECT FROM durable.work FOR UPDATE");
      Problem problem = refused(runtime().cancellation().cancel(command(work, "cancel")));
      rival.rollback();
      return problem;
    }
  }

  Problem retryOfReadyWork() {
    WorkId work = accept();
    return refused(operator().retry(command(work, "retry").expecting(view(work).revision())));
  }

  Problem resolutionWithoutItsResult() {
    suspendedByAnExecutorThatThrows();
    WorkId work = operator().works(query()).items().get(0).workId();
    WorkCommand command = command(work, "resolve").expecting(view(work).revision());
    return refused(operator().resolve(command, Evidence.applied()));
  }

  /** What the fence says when the world changed between permit and handoff. */
  Problem fenceAfter(String table, String assignments) {
    accept();
    AtomicReference<@Nullable OperationResult<HandoffResult>> said = new AtomicReference<>();
    pump(
        invocation ->
            (work, token) -> {
              change(table, assignments);
              said.set(handOff(invocation.handoffFence()));
              return WorkExit.retryBeforeEffect("refused");
            });
    return refused(Objects.requireNonNull(said.get()));
  }

  Problem fenceAfterItsInvocation() throws SQLException {
    accept();
    AtomicReference<@Nullable HandoffFence> kept = new AtomicReference<>();
    pump(
        invocation -> {
          kept.set(invocation.handoffFence());
          return (work, token) -> WorkExit.succeeded("sent");
        });
    return refused(handOff(Objects.requireNonNull(kept.get())));
  }

  Problem schemaAfter(String sql) {
    database.execute("ALTER TABLE durable.store DROP CONSTRAINT store_versions");
    database.execute(sql);
    return StoreAdministration.of(database.owner()).status().schema().problem().orElseThrow();
  }

  Problem hostWhosePassHangs() {
    GatedConnections dispatcher = new GatedConnections(database.dispatcher(), name -> true);
    dispatcher.hold();
    DurableRuntime runtime =
        builder(database.store())
            .dispatcherDataSource(dispatcher)
            .register(SEND, sending())
            .build();
    HostOptions options = HostOptions.builder().staleAfter(Duration.ofMillis(100)).build();
    try (WorkerHost host = runtime.startHost(options)) {
      Awaitility.await().until(() -> host.health().state() == HostHealth.State.STALE);
      Problem problem = host.health().problem().orElseThrow();
      dispatcher.open();
      return problem;
    }
  }

  Problem secondHostOfARuntime() {
    DurableRuntime runtime = builder(database.store()).register(SEND, sending()).build();
    try (WorkerHost first = runtime.startHost()) {
      Problem problem = thrownBy(() -> runtime.startHost().close());
      assertThat(first.health().state()).isNotEqualTo(HostHealth.State.STOPPED);
      return problem;
    }
  }

  private Problem suspendedBy(WorkExecutorFactory<String, String> executors) {
    WorkId work = accept();
    pump(executors);
    return view(work).suspendReason().map(SuspendReason::problem).orElseThrow();
  }

  private WorkId accept() {
    return runtime().work().accept(request("c", "a note")).orElseThrow().workId();
  }

  private static WorkRequest<String, String> request(String command, String payload) {
    return SEND.request(SCOPE, CommandId.of(command), IdempotencyKey.of(command), payload);
  }

  private static WorkCommand command(WorkId work, String command) {
    return WorkCommand.of(SCOPE, work, CommandId.of(command), "olga", "ticket 7");
  }

  private static WorkId unknown() {
    return new WorkId(UUID.randomUUID());
  }

  private static WorkQuery query() {
    return WorkQuery.of(SCOPE);
  }

  private WorkView view(WorkId work) {
    return operator().find(SCOPE, work).orElseThrow().work();
  }

  private WorkOperator operator() {
    return WorkOperator.of(database.operator(), database.store());
  }

  private void pump(WorkExecutorFactory<String, String> executors) {
    builder(database.store()).register(SEND, executors).build().pump().runOnce(PumpPass.of(1));
  }

  private static WorkExecutorFactory<String, String> sending() {
    return invocation -> (work, token) -> WorkExit.succeeded("sent");
  }

  private DurableRuntime runtime() {
    return builder(database.store()).build();
  }

  private DurableRuntimeBuilder builder(StoreIdentity store) {
    return DurableRuntime.builder()
        .runtimeDataSource(database.runtime())
        .dispatcherDataSource(database.dispatcher())
        .store(store);
  }

  private OperationResult<HandoffResult> handOff(HandoffFence fence) throws SQLException {
    DataSource application = database.runtime();
    try (Connection connection = application.getConnection()) {
      connection.setAutoCommit(false);
      OperationResult<HandoffResult> said =
          fence.execute(connection, (transaction, token) -> true, CancellationToken.none());
      connection.rollback();
      return said;
    }
  }

  /** As the superuser, around triggers and foreign keys. */
  private void change(String table, String assignments) {
    database.execute(
        "BEGIN; SET LOCAL session_replication_role = replica; UPDATE durable.%s SET %s; COMMIT"
            .formatted(table, assignments));
  }

  private static Problem refused(OperationResult<?> result) {
    assertThat(result).isInstanceOf(OperationResult.Failure.class);
    return ((OperationResult.Failure<?>) result).problem();
  }

  private static Problem thrownBy(ThrowingCallable call) {
    DurableException thrown = catchThrowableOfType(DurableException.class, call);
    assertThat(thrown)
        .hasMessageStartingWith(thrown.problem().code())
        .hasMessageContaining(thrown.problem().fix());
    return thrown.problem();
  }

  @Override
  public void close() {
    database.close();
  }
}
