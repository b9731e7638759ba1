package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.ManyWorks;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever has much that is due first, or urgent, does not keep the others from their turn. */
@Timeout(120)
class FairDiscoveryTest {

  private static final int FLOOD = 2_000;
  private static final ScopeId QUIET = ScopeId.of("quiet");

  private static PumpScene scene;

  @BeforeAll
  static void open() {
    scene = new PumpScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @Test
  void floodedScope_doesNotStarveAnother() {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = runtime(1, definition);
    flood(definition, 5);
    List<WorkId> quiet = accept(runtime, definition, QUIET, 3);

    runtime.pump().runOnce(PumpPass.of(16));

    assertThat(quiet).allMatch(FairDiscoveryTest::hasSucceeded);
  }

  @Test
  void floodOfUrgentWork_doesNotStarveAnotherScope() {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = runtime(4, definition);
    flood(definition, 9);
    WorkId quiet = scene.accept(runtime, definition, QUIET, r -> r.withPriority(0));

    runtime.pump().runOnce(PumpPass.of(8));

    assertThat(quiet).matches(FairDiscoveryTest::hasSucceeded);
  }

  @Test
  void floodedContract_doesNotStarveAnother() {
    var flooded = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    var other = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = runtime(1, flooded, other);
    flood(flooded, 5);
    List<WorkId> quiet = accept(runtime, other, ScopeId.of("flood"), 3);

    runtime.pump().runOnce(PumpPass.of(16));

    assertThat(quiet).allMatch(FairDiscoveryTest::hasSucceeded);
  }

  @Test
  void expiredLeaseBehindAFlood_isRecovered() throws SQLException {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = runtime(1, definition);
    WorkId lost = scene.accept(runtime, definition, r -> r.withPriority(0));
    try (OtherWorker killed = new OtherWorker(scene)) {
      killed.claim(lost);
    }
    scene.expireLease(lost);
    flood(definition, 5);

    runtime.pump().runOnce(PumpPass.of(8));

    assertThat(lost).matches(FairDiscoveryTest::hasSucceeded);
  }

  /** Each pass goes on where the one before it ended. */
  @Test
  void everyScope_getsItsTurn_overManyPasses() {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = runtime(4, definition);
    flood(definition, 5);
    List<WorkId> quiet =
        IntStream.range(0, 60)
            .mapToObj(n -> accept(runtime, definition, ScopeId.of("one-" + n), 1).get(0))
            .toList();

    IntStream.range(0, 40).forEach(n -> runtime.pump().runOnce(PumpPass.of(4)));

    assertThat(quiet).allMatch(FairDiscoveryTest::hasSucceeded);
  }

  @Test
  void scopesWithNothingDueYet_doNotHoldUpTheTurns() {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = runtime(1, definition);
    flood(definition, 5);
    ManyWorks.insertReady(
        scene.database, definition.name(), 500, "'later-' || n", 9, "now() + interval '1 hour'");
    WorkId quiet = accept(runtime, definition, QUIET, 1).get(0);

    runtime.pump().runOnce(PumpPass.of(40));

    assertThat(quiet).matches(FairDiscoveryTest::hasSucceeded);
  }

  @Test
  void dueWork_behindUrgentWorkOfItsScopeThatIsNotDueYet_hasItsTurn() {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = runtime(1, definition);
    flood(definition, 5);
    for (int priority : List.of(9, 7, 6)) {
      ManyWorks.insertReady(
          scene.database, definition.name(), 20, "'quiet'", priority, "now() + interval '1 hour'");
    }
    WorkId quiet = scene.accept(runtime, definition, QUIET, r -> r.withPriority(0));

    runtime.pump().runOnce(PumpPass.of(8));

    assertThat(quiet).matches(FairDiscoveryTest::hasSucceeded);
  }

  /** Turns are for those who would wait; what goes first still has half of the places. */
  @Test
  void urgentWork_goesFirst_whoeverElseHasATurn() {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = runtime(2, definition);
    flood(definition, 5, "'flood-' || n % 20");
    WorkId urgent = scene.accept(runtime, definition, ScopeId.of("urgent"), r -> r.withPriority(9));

    runtime.pump().runOnce(PumpPass.of(2));

    assertThat(urgent).matches(FairDiscoveryTest::hasSucceeded);
  }

  /** What somebody has locked stays at the head of its lane, and is tried in vain. */
  @ParameterizedTest
  @ValueSource(ints = {4, 12})
  void lockedHeadOfALane_doesNotHideTheRestOfIt(int lockedWorks) throws SQLException {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = runtime(1, definition);
    flood(definition, 5);
    List<WorkId> head = accept(runtime, definition, QUIET, lockedWorks);
    WorkId behind = scene.accept(runtime, definition, QUIET, r -> r.withPriority(0));

    whileLocked(QUIET, head, () -> runtime.pump().runOnce(PumpPass.of(400)));

    assertThat(behind).matches(FairDiscoveryTest::hasSucceeded);
  }

  @Test
  void expiredLeases_ofLockedWorks_doNotHideAnother() throws SQLException {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = runtime(1, definition);
    flood(definition, 5);
    List<WorkId> lost =
        IntStream.range(0, 6)
            .mapToObj(n -> scene.accept(runtime, definition, r -> r.withPriority(0)))
            .toList();
    try (OtherWorker killed = new OtherWorker(scene)) {
      killed.take(lost);
    }
    lost.forEach(scene::expireLease);

    whileLocked(
        PumpScene.TENANT, lost.subList(0, 5), () -> runtime.pump().runOnce(PumpPass.of(400)));

    assertThat(lost.get(5)).matches(FairDiscoveryTest::hasSucceeded);
  }

  private static void whileLocked(ScopeId scope, List<WorkId> works, Runnable action)
      throws SQLException {
    try (CallerSession session = CallerSession.open(scene.database)) {
      session.execute("SELECT set_config('durable.scope_id', '" + scope.value() + "', true)");
      for (WorkId work : works) {
        session.execute("SELECT FROM durable.work WHERE work_id = '" + work + "' FOR UPDATE");
      }
      action.run();
    }
  }

  @SafeVarargs
  private static DurableRuntime runtime(
      int concurrency, WorkDefinition<String, String>... definitions) {
    DurableRuntimeBuilder builder = scene.builder().concurrency(concurrency);
    for (WorkDefinition<String, String> definition : definitions) {
      builder.register(definition, HostScene.succeeding());
    }
    return builder.build();
  }

  /** All of it was due before whatever a test accepts. */
  private static void flood(WorkDefinition<String, String> definition, int priority) {
    flood(definition, priority, "'flood'");
  }

  private static void flood(WorkDefinition<String, String> definition, int priority, String scope) {
    ManyWorks.insertReady(
        scene.database,
        definition.name(),
        FLOOD,
        scope,
        priority,
        "now() - interval '1 hour' + n * interval '1 millisecond'");
  }

  private static List<WorkId> accept(
      DurableRuntime runtime, WorkDefinition<String, String> definition, ScopeId scope, int works) {
    return IntStream.range(0, works)
        .mapToObj(n -> scene.accept(runtime, definition, scope, r -> r))
        .toList();
  }

  private static boolean hasSucceeded(WorkId work) {
    return scene.state(work).equals("succeeded");
  }
}
