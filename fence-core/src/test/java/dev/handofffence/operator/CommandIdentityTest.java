package dev.handofffence.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.Waits;
import dev.handofffence.operator.OperatorScene.At;
import dev.handofffence.runtime.WorkOperator;
import dev.handofffence.work.CommandOutcome;
import dev.handofffence.work.CommandOutcome.Change;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkCommand;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands are what their id says: repeated, conflicting, stale, or raced. */
class CommandIdentityTest {

  private static OperatorScene scene;

  private final ScopeId scope = OperatorScene.newScope();

  @BeforeAll
  static void open() {
    scene = new OperatorScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @Test
  void commandOnAnotherIsolationLevel_isRefused() throws SQLException {
    WorkId work = scene.workAt(At.READY, scope, ProviderSafety.IDEMPOTENT);

    try (HikariDataSource repeatable = new HikariDataSource()) {
      repeatable.setDataSource(scene.database.operator());
      repeatable.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
      WorkOperator operator = WorkOperator.of(repeatable, scene.store());

      assertThatThrownBy(() -> operator.cancel(OperatorScene.command(scope, work)))
          .isInstanceOfSatisfying(
              DurableException.class,
              e -> assertThat(e.problem()).isEqualTo(Problem.TRANSACTION_REQUIRED));
    }
    assertThat(scene.state(work)).isEqualTo("ready");
  }

  @Test
  void repeatedCommand_isAnsweredWithTheFirstOutcome() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_IN_DOUBT, scope, ProviderSafety.RECONCILE_BEFORE_RETRY);
    WorkCommand command = scene.currentCommand(scope, work);
    CommandOutcome first = scene.operator().reconcile(command, Evidence.notApplied()).orElseThrow();
    String before = scene.everythingOf(work);

    CommandOutcome again = scene.operator().reconcile(command, Evidence.notApplied()).orElseThrow();

    assertThat(again).isEqualTo(new CommandOutcome(first.change(), first.revision(), true));
    assertThat(first.repeated()).isFalse();
    assertThat(scene.everythingOf(work)).isEqualTo(before);
  }

  static Stream<UnaryOperator<WorkCommand>> otherContents() {
    return Stream.of(
        c -> WorkCommand.of(c.scope(), c.workId(), c.commandId(), "someone else", c.reason()),
        c -> WorkCommand.of(c.scope(), c.workId(), c.commandId(), c.actor(), "another reason"),
        c -> c.expecting(c.expectedRevision().orElse(0) + 7),
        c ->
            WorkCommand.of(
                c.scope(), new WorkId(UUID.randomUUID()), c.commandId(), c.actor(), c.reason()));
  }

  @ParameterizedTest
  @MethodSource("otherContents")
  void sameIdWithOtherContent_isAConflict(UnaryOperator<WorkCommand> change) {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    WorkCommand command = OperatorScene.command(scope, work);
    scene.operator().cancel(command).orElseThrow();
    String before = scene.everythingOf(work);

    assertThat(scene.operator().cancel(change.apply(command)))
        .isEqualTo(OperationResult.failure(Problem.COMMAND_CONFLICT));

    assertThat(scene.everythingOf(work)).isEqualTo(before);
  }

  @Test
  void sameIdForAnotherKindOrEvidence_isAConflict() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_IN_DOUBT, scope, ProviderSafety.RECONCILE_BEFORE_RETRY);
    WorkCommand command = scene.currentCommand(scope, work);
    scene.operator().reconcile(command, Evidence.notApplied()).orElseThrow();

    List<OperationResult<CommandOutcome>> others =
        List.of(
            scene.operator().reconcile(command, Evidence.applied()),
            scene.operator().resolve(command, Evidence.notApplied()),
            scene.operator().retry(command),
            scene.operator().cancel(command));

    assertThat(others).containsOnly(OperationResult.failure(Problem.COMMAND_CONFLICT));
  }

  @Test
  void sameIdInAnotherScope_isAnotherCommand() {
    CommandId id = OperatorScene.newCommand();
    ScopeId other = OperatorScene.newScope();

    for (ScopeId each : List.of(scope, other)) {
      WorkId work = scene.accept(each, ProviderSafety.PROVIDER_KEYED);
      assertThat(
              scene
                  .operator()
                  .cancel(WorkCommand.of(each, work, id, "olga", "why"))
                  .orElseThrow()
                  .repeated())
          .isFalse();
    }
  }

  @Test
  void staleRevision_isRefused() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_IN_DOUBT, scope, ProviderSafety.MANUAL_RESOLUTION);
    WorkCommand stale = scene.currentCommand(scope, work);
    scene
        .operator()
        .resolve(scene.currentCommand(scope, work), Evidence.notApplied())
        .orElseThrow();
    String before = scene.everythingOf(work);

    assertThat(scene.operator().retry(stale))
        .isEqualTo(OperationResult.failure(Problem.REVISION_CONFLICT));

    assertThat(scene.everythingOf(work)).isEqualTo(before);
  }

  @Test
  void refusedCommand_mayBeRepeatedWithItsId() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_IN_DOUBT, scope, ProviderSafety.MANUAL_RESOLUTION);
    WorkCommand command = scene.currentCommand(scope, work);
    assertThat(scene.operator().resolve(command, Evidence.applied()).isSuccess()).isFalse();

    assertThat(
            scene
                .operator()
                .resolve(command, Evidence.applied("text", new byte[] {'x'}))
                .orElseThrow()
                .change())
        .isEqualTo(Change.SUCCEEDED);
  }

  @Test
  void concurrentRepetition_waitsAndIsAnsweredAsOne() throws Exception {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    WorkCommand command = OperatorScene.command(scope, work);
    List<CompletableFuture<CommandOutcome>> racers = new ArrayList<>();
    try (CallerSession holder = CallerSession.open(scene.database)) {
      holder.execute("SELECT set_config('durable.scope_id', '" + scope.value() + "', true)");
      holder.execute("SELECT 1 FROM durable.work WHERE work_id = '" + work + "' FOR NO KEY UPDATE");
      for (int i = 0; i < 4; i++) {
        racers.add(Background.supply(() -> scene.operator().cancel(command).orElseThrow()));
      }
      Waits.untilWaiting(scene.database, 2);
      holder.commit();
    }

    List<CommandOutcome> outcomes = new ArrayList<>();
    for (CompletableFuture<CommandOutcome> racer : racers) {
      outcomes.add(racer.get(20, TimeUnit.SECONDS));
    }

    assertThat(outcomes).filteredOn(outcome -> !outcome.repeated()).hasSize(1);
    assertThat(outcomes).extracting(CommandOutcome::change).containsOnly(Change.CANCELED);
    assertThat(scene.history(work)).isEqualTo("accepted canceled_by_command:cancel");
  }

  @Test
  void sameIdForTwoWorksAtOnce_isCarriedOutOnceAndConflictsOnce() throws Exception {
    WorkId one = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    WorkId two = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    CommandId id = OperatorScene.newCommand();
    try (CallerSession application = CallerSession.open(scene.database)) {
      scene
          .runtime(
              OperatorScene.definition(ProviderSafety.IDEMPOTENT, OperatorScene.MUCH_LATER),
              invocation -> (work, token) -> dev.handofffence.work.WorkExit.succeeded(""))
          .cancellation()
          .cancel(application.connection(), WorkCommand.of(scope, one, id, "olga", "why"))
          .orElseThrow();
      CompletableFuture<OperationResult<CommandOutcome>> second =
          Background.supply(
              () -> scene.operator().cancel(WorkCommand.of(scope, two, id, "olga", "why")));

      Waits.untilBlockedBy(scene.database, application.backend());
      application.commit();

      assertThat(second.get(20, TimeUnit.SECONDS))
          .isEqualTo(OperationResult.failure(Problem.COMMAND_CONFLICT));
      assertThat(scene.state(two)).isEqualTo("ready");
    }
  }

  @Test
  void otherStoreOrEpoch_isRefused() {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    StoreIdentity store = scene.store();

    assertThat(cancelAs(StoreIdentity.of(UUID.randomUUID(), store.epoch()), work))
        .isEqualTo(OperationResult.failure(Problem.STORE_MISMATCH));
    assertThat(cancelAs(StoreIdentity.of(store.storeId(), UUID.randomUUID()), work))
        .isEqualTo(OperationResult.failure(Problem.EPOCH_MISMATCH));
    assertThat(scene.state(work)).isEqualTo("ready");
  }

  private OperationResult<CommandOutcome> cancelAs(StoreIdentity identity, WorkId work) {
    return WorkOperator.of(scene.database.operator(), identity)
        .cancel(OperatorScene.command(scope, work));
  }
}
