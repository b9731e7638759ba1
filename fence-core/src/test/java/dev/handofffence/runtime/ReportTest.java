package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.fixture.Background;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every permitted attempt is reported, whatever its executor throws and the store refuses. */
@Timeout(60)
class ReportTest {

  private PumpScene scene;

  @BeforeEach
  void open() {
    scene = new PumpScene();
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void exceptionThatCannotBeDescribed_isReported() {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation ->
                (work, cancellation) -> {
                  throw new Undescribable();
                });
    WorkId work = scene.accept(runtime, definition);

    assertThat(runtime.pump().runOnce(PumpPass.of(1)).retried()).isEqualTo(1);

    assertThat(scene.history(work)).endsWith("retry_scheduled:executor_exception");
  }

  @Test
  void rejectionThatCannotBeDescribed_isReportedAndGivesThePlaceBack() {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    AtomicBoolean rejected = new AtomicBoolean();
    DurableRuntime runtime =
        scene
            .builder()
            .concurrency(1)
            .executor(
                task -> {
                  if (rejected.compareAndSet(false, true)) {
                    throw new Undescribable();
                  }
                  task.run();
                })
            .register(definition, HostScene.succeeding())
            .build();
    WorkId work = scene.accept(runtime, definition);

    assertThat(runtime.pump().runOnce(PumpPass.of(1)).retried()).isEqualTo(1);
    assertThat(scene.history(work)).endsWith("retry_scheduled:executor_rejected");

    scene.makeDue(work);
    assertThat(runtime.pump().runOnce(PumpPass.of(1)).succeeded()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"42501", "P0001"})
  void reportThatTheStoreRefuses_doesNotHoldUpTheOthers(String sqlState) throws Exception {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        scene.builder().concurrency(8).register(definition, endingTogether(8)).build();
    List<WorkId> works =
        IntStream.range(0, 8).mapToObj(n -> scene.accept(runtime, definition)).toList();
    WorkId culprit = works.get(3);
    refuse("NEW.work_id = '" + culprit + "'", sqlState);

    CompletableFuture<PumpResult> pass =
        Background.supply(() -> runtime.pump().runOnce(PumpPass.of(8)));
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(works)
                    .filteredOn(w -> !w.equals(culprit))
                    .allMatch(w -> scene.state(w).equals("succeeded")));
    assertThat(scene.state(culprit)).isEqualTo("permitted");

    acceptAgain();
    assertThat(pass.get().succeeded()).isEqualTo(8);
  }

  /** More reports than make a batch by themselves wait for the store, and none is forgotten. */
  @Test
  void manyReports_outlastAnOutage() throws Exception {
    var definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        scene.builder().concurrency(210).register(definition, endingTogether(210)).build();
    IntStream.range(0, 210).forEach(n -> scene.accept(runtime, definition));
    refuse("true", "57P01");

    CompletableFuture<PumpResult> pass =
        Background.supply(() -> runtime.pump().runOnce(PumpPass.of(210)));
    Awaitility.await().until(() -> refusals() >= 2);

    acceptAgain();
    assertThat(pass.get().succeeded()).isEqualTo(210);
  }

  private static WorkExecutorFactory<String, String> endingTogether(int works) {
    CyclicBarrier all = new CyclicBarrier(works);
    return invocation ->
        (work, cancellation) -> {
          all.await();
          return WorkExit.succeeded("sent");
        };
  }

  /** The count outlives the transactions that are rolled back. */
  private void refuse(String which, String sqlState) {
    scene.database.execute(
        """
        CREATE SEQUENCE public.refusal;
        CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
          PERFORM nextval('public.refusal');
          RAISE EXCEPTION 'refused' USING ERRCODE = '%s';
        END $$;
        CREATE TRIGGER refuse BEFORE UPDATE ON durable.work FOR EACH ROW
          WHEN (NEW.state = 'succeeded' AND %s) EXECUTE FUNCTION public.refuse();
        """
            .formatted(sqlState, which));
  }

  private int refusals() {
    return Integer.parseInt(
        scene.database.ask(
            "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM public.refusal"));
  }

  private void acceptAgain() {
    scene.database.execute("DROP TRIGGER refuse ON durable.work");
  }

  /** Methods of an exception are code of the application's. */
  private static final class Undescribable extends RuntimeException {

    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("no cause");
    }
  }
}
