package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.ApplicationSchema;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.handoff.HandoffResult;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkInvocation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The fence that an executor is given works while the pump runs it, and at no other time. */
class PumpFenceTest {

  private static PumpScene scene;
  private static ApplicationSchema application;

  private final List<OperationResult<HandoffResult>> results = new CopyOnWriteArrayList<>();
  private final List<HandoffFence> fences = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void open() {
    scene = new PumpScene();
    application = ApplicationSchema.create(scene.database);
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @Test
  void fence_preparesInsideTheExecutorAlone() throws SQLException {
    application.authorize("sent");
    WorkId work =
        run(
            (invocation, given) -> {
              HandoffResult handoff = handOff(invocation.handoffFence(), "sent").orElseThrow();
              invocation.transactions().requireCommitted(handoff.transactionId());
            },
            "sent");

    assertThat(results).allMatch(OperationResult::isSuccess).hasSize(1);
    assertThat(application.isRecorded("sent")).isTrue();
    assertThat(scene.state(work)).isEqualTo("succeeded");
    assertThat(handOff(fences.get(0), "sent"))
        .isEqualTo(OperationResult.failure(Problem.NO_LIVE_INVOCATION));
  }

  @Test
  void fence_refusesWhenTheLeaseWasLost() {
    application.authorize("lost");
    run(
        (invocation, given) -> {
          scene.expireLease(given);
          handOff(invocation.handoffFence(), "lost");
        },
        "lost");

    assertThat(results).containsExactly(OperationResult.failure(Problem.LEASE_EXPIRED));
    assertThat(application.isRecorded("lost")).isFalse();
  }

  @Test
  void fence_refusesWhenTheExecutorIsPrepared() throws SQLException {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation -> {
              handOff(invocation.handoffFence(), "early");
              return (work, cancellation) -> WorkExit.succeeded("sent");
            });
    scene.accept(runtime, definition);

    runtime.pump().runOnce(PumpPass.of(1));

    assertThat(results).containsExactly(OperationResult.failure(Problem.NO_LIVE_INVOCATION));
  }

  private interface Body {
    void run(WorkInvocation invocation, WorkId work) throws Exception;
  }

  private WorkId run(Body body, String note) {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation ->
                (work, cancellation) -> {
                  fences.add(invocation.handoffFence());
                  body.run(invocation, work.workId());
                  return WorkExit.succeeded(note);
                });
    WorkId work = scene.accept(runtime, definition);
    runtime.pump().runOnce(PumpPass.of(1));
    return work;
  }

  private OperationResult<HandoffResult> handOff(HandoffFence fence, String operation)
      throws SQLException {
    try (Connection connection = scene.database.runtime().getConnection()) {
      connection.setAutoCommit(false);
      OperationResult<HandoffResult> result =
          fence.execute(
              connection,
              (transaction, token) -> ApplicationSchema.authorizeAndRecord(transaction, operation),
              CancellationToken.none());
      connection.commit();
      results.add(result);
      return result;
    }
  }
}
