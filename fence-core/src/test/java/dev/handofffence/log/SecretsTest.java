package dev.handofffence.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.CapturedLog;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.GatedConnections;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.DurableRuntimeBuilder;
import dev.handofffence.runtime.EpochChange;
import dev.handofffence.runtime.HostHealth;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.StoreAdministration;
import dev.handofffence.runtime.WorkOperator;
import dev.handofffence.runtime.WorkerHost;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.PayloadCodec;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.ScopeCommand;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkQuery;
import dev.handofffence.work.WorkRequest;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What an application, an operator or a driver puts in never comes out of a message, a text or the
 * log. Every marker has the word hush; what replaces it says as much as helps: ids of the library's
 * own, classes, codes and SQLSTATEs.
 */
@Timeout(60)
class SecretsTest {

  private static final String MARKER = "hush";
  private static final ScopeId SCOPE = ScopeId.of("hush-tenant");
  private static final WorkDefinition<String, String> SEND = definition(PayloadCodecs.text());

  private final DurableDatabase database = DurableDatabase.create();
  private final CapturedLog log = CapturedLog.start();

  @AfterEach
  void close() {
    log.close();
    database.close();
  }

  @Test
  void failureOfAnExecutor_isLoggedByClassCodeAndState() {
    run(
        invocation ->
            (work, token) -> {
              throw new IllegalStateException(
                  "hush: " + work.payload(),
                  new DurableException(
                      Problem.STORE_UNAVAILABLE, "hush", new SQLException("hush", "57P01")));
            });

    assertLogged("java.lang.IllegalStateException, DUR103, SQLSTATE 57P01");
  }

  /** An application's own exception may carry anything where the driver's has its state. */
  @Test
  void sqlStateThatIsNone_isNotLogged() {
    run(
        invocation ->
            (work, token) -> {
              throw new SQLException("hush", "hush password");
            });

    assertLogged("executor_exception, java.sql.SQLException");
  }

  @Test
  void failureOfAFactory_isLoggedByClassAndCode() {
    run(
        invocation -> {
          throw new IllegalStateException("hush");
        });

    assertLogged("DUR109 executor_unavailable, java.lang.IllegalStateException");
  }

  @Test
  void payloadThatCannotBeDecoded_isNotShown() {
    run(definition(new FailingCodec()), sending("sent"), Runnable::run);

    assertLogged("DUR109 payload_undecodable, java.lang.IllegalArgumentException");
  }

  @Test
  void resultThatCannotBeEncoded_isNotShown() {
    WorkDefinition<String, String> contract =
        WorkDefinition.named("notes.send", "v1")
            .payload(PayloadCodecs.text())
            .result(new FailingCodec())
            .providerSafety(ProviderSafety.PROVIDER_KEYED)
            .build();
    run(contract, sending("hush result"), Runnable::run);

    assertLogged("result_unencodable, java.lang.IllegalArgumentException");
  }

  @Test
  void executorThatRejects_isLoggedByItsException() {
    run(
        SEND,
        sending("sent"),
        task -> {
          throw new IllegalStateException("hush");
        });

    assertLogged("the executor threw java.lang.IllegalStateException");
  }

  @Test
  void outageOfTheDatabase_isLoggedByStateAlone() {
    GatedConnections connections = new GatedConnections(database.runtime(), name -> true);
    connections.refuseWith(new SQLException("hush: password of hush", "28P01"));
    DurableRuntime runtime =
        builder().runtimeDataSource(connections).register(SEND, sending("sent")).build();
    try (WorkerHost host = runtime.startHost()) {
      Awaitility.await().until(() -> host.health().state() == HostHealth.State.UNAVAILABLE);
      connections.open();
    }

    assertLogged("SQLSTATE 28P01");
  }

  @Test
  void wrongPassword_isNeitherShownNorItsRole() {
    PGSimpleDataSource wrong = (PGSimpleDataSource) database.runtime();
    wrong.setUser("hush_role");
    wrong.setPassword("hush password");

    assertThat(catchThrowable(() -> StoreAdministration.of(wrong).status()).toString())
        .contains("DUR103")
        .doesNotContain(MARKER);
  }

  @Test
  void valuesOfThePublicSurface_showNothing() {
    List<Object> values = new CopyOnWriteArrayList<>();
    WorkId work = accept(SEND);
    builder()
        .register(
            SEND,
            invocation ->
                (envelope, token) -> {
                  values.add(envelope);
                  return WorkExit.retryBeforeEffect("later");
                })
        .build()
        .pump()
        .runOnce(PumpPass.of(1));
    WorkOperator operator = WorkOperator.of(database.operator(), database.store());
    operator.cancel(command(work)).orElseThrow();
    values.addAll(
        List.of(
            request(SEND),
            command(work),
            ScopeCommand.of(SCOPE, CommandId.of("hush"), "hush", "hush"),
            EpochChange.of(UUID.randomUUID(), "hush", "hush"),
            Evidence.applied(SEND, "hush"),
            WorkExit.succeeded("hush"),
            SCOPE,
            CommandId.of("hush"),
            IdempotencyKey.of("hush"),
            operator.find(SCOPE, work).orElseThrow(),
            operator.scopes(Optional.empty(), 10),
            operator.history(SCOPE, work, 0, 10),
            WorkQuery.of(SCOPE)));

    assertThat(values).hasAtLeastOneElementOfType(WorkEnvelope.class);
    assertThat(values).allSatisfy(value -> assertThat(value.toString()).doesNotContain(MARKER));
  }

  @Test
  void refusedValues_areNotRepeated() {
    String long201 = MARKER + "x".repeat(200);
    assertSilent(() -> ScopeId.of(long201));
    assertSilent(() -> CommandId.of("hush hush"));
    assertSilent(() -> IdempotencyKey.of("hush/hush"));
    assertSilent(() -> WorkDefinition.named("hush hush", "v1"));
    assertSilent(() -> EpochChange.of(UUID.randomUUID(), long201, "hush"));
    assertSilent(() -> DurableRuntime.builder().allowEndpoint("jdbc:hush://hush:hush@hush"));
    assertSilent(() -> builder().build().work().accept(request(definition(new FailingCodec()))));
  }

  private static void assertSilent(ThrowingCallable call) {
    assertThat(catchThrowable(call))
        .isInstanceOf(DurableException.class)
        .hasMessageStartingWith("DUR100")
        .hasMessageNotContaining(MARKER);
  }

  private void assertLogged(String expected) {
    assertThat(log.text())
        .contains(expected)
        .doesNotContain(MARKER)
        .doesNotContain(database.name(), DurableDatabase.RUNTIME, DurableDatabase.PASSWORD)
        .doesNotContainPattern("(?i)select |update durable|insert into");
  }

  private void run(WorkExecutorFactory<String, String> executors) {
    run(SEND, executors, Runnable::run);
  }

  private void run(
      WorkDefinition<String, String> contract,
      WorkExecutorFactory<String, String> executors,
      Executor executor) {
    accept(SEND);
    builder()
        .executor(executor)
        .register(contract, executors)
        .build()
        .pump()
        .runOnce(PumpPass.of(1));
  }

  private WorkId accept(WorkDefinition<String, String> contract) {
    return builder().build().work().accept(request(contract)).orElseThrow().workId();
  }

  private static WorkRequest<String, String> request(WorkDefinition<String, String> contract) {
    return contract.request(
        SCOPE, CommandId.of("hush-command"), IdempotencyKey.of("hush-key"), "hush payload");
  }

  private static WorkCommand command(WorkId work) {
    return WorkCommand.of(SCOPE, work, CommandId.of("hush-cancel"), "hush actor", "hush reason");
  }

  private static WorkExecutorFactory<String, String> sending(String result) {
    return invocation -> (work, token) -> WorkExit.succeeded(result);
  }

  private DurableRuntimeBuilder builder() {
    return DurableRuntime.builder()
        .runtimeDataSource(database.runtime())
        .dispatcherDataSource(database.dispatcher())
        .store(database.store());
  }

  private static WorkDefinition<String, String> definition(PayloadCodec<String> payload) {
    return WorkDefinition.named("notes.send", "v1")
        .payload(payload)
        .result(PayloadCodecs.text())
        .providerSafety(ProviderSafety.PROVIDER_KEYED)
        .build();
  }

  /** Says what it was given, as parsers do. */
  private static final class FailingCodec implements PayloadCodec<String> {

    @Override
    public String format() {
      return "text";
    }

    @Override
    public byte[] encode(String value) {
      throw new IllegalArgumentException("hush: " + value);
    }

    @Override
    public String decode(byte[] bytes) {
      throw new IllegalArgumentException("hush: " + new String(bytes, StandardCharsets.UTF_8));
    }
  }
}
