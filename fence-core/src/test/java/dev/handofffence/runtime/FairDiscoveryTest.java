package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
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
