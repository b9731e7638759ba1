package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.EncodedResult;
import dev.handofffence.internal.claim.ExitKind;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A report whose answer was lost is sent again: it has one effect, and gets its first answer. */
class RepeatedReportTest {

  private static PumpScene scene;

  @BeforeAll
  static void open() {
    scene = new PumpScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @ParameterizedTest
  @CsvSource({
    "PROVIDER_KEYED, SUCCEEDED, SUCCEEDED",
    "PROVIDER_KEYED, RETRY_BEFORE_EFFECT, RETRIED",
    "PROVIDER_KEYED, FAILED_WITHOUT_EFFECT, FAILED",
    "PROVIDER_KEYED, AMBIGUOUS, RETRIED",
    "MANUAL_RESOLUTION, AMBIGUOUS, SUSPENDED",
  })
  void repeatedReport_getsTheFirstAnswerAndChangesNothing(
      ProviderSafety safety, ExitKind exit, Ending ending) throws SQLException {
    try (OtherWorker worker = new OtherWorker(scene)) {
      WorkId work = accept(safety);
      Completion report = report(worker.claimAndPermit(work), exit);
      assertThat(worker.complete(report)).contains(ending);
      String before = everything(work);

      assertThat(worker.completeAgain(report)).contains(ending);

      assertThat(everything(work)).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void canceledMeanwhile_theRepeatedReportSaysSo(Denial denial) throws SQLException {
    try (OtherWorker worker = new OtherWorker(scene)) {
      WorkId work = accept(ProviderSafety.IDEMPOTENT);
      Completion report = report(worker.claimAndPermit(work), denial.exit);
      scene.requestCancellation(work);
      assertThat(worker.complete(report)).contains(denial.ending);

      assertThat(worker.completeAgain(report)).contains(denial.ending);
    }
  }

  /** What is no longer known to be the same report is kept beside the Work. */
  @ParameterizedTest
  @EnumSource(names = "SUCCEEDED", mode = EnumSource.Mode.EXCLUDE)
  void reportThatSomebodyElseAnswered_isQuarantined(ExitKind exit) throws SQLException {
    try (OtherWorker worker = new OtherWorker(scene)) {
      WorkId work = accept(ProviderSafety.PROVIDER_KEYED);
      Claim claim = worker.claimAndPermit(work);
      assertThat(worker.complete(report(claim, ExitKind.SUCCEEDED))).contains(Ending.SUCCEEDED);

      assertThat(worker.completeAgain(report(claim, exit))).contains(Ending.QUARANTINED);

      assertThat(scene.state(work)).isEqualTo("succeeded");
      assertThat(scene.history(work)).endsWith("quarantined:code");
    }
  }

  enum Denial {
    BEFORE_EFFECT(ExitKind.RETRY_BEFORE_EFFECT, Ending.CANCELED),
    UNKNOWN(ExitKind.AMBIGUOUS, Ending.SUSPENDED);

    private final ExitKind exit;
    private final Ending ending;

    Denial(ExitKind exit, Ending ending) {
      this.exit = exit;
      this.ending = ending;
    }
  }

  private static Completion report(Claim claim, ExitKind exit) {
    return exit == ExitKind.SUCCEEDED
        ? Completion.succeeded(claim, new EncodedResult("text", new byte[] {'x'}))
        : Completion.withoutResult(claim, exit, "code");
  }

  private static WorkId accept(ProviderSafety safety) {
    WorkDefinition<String, String> definition = PumpScene.definition(safety);
    return scene.accept(
        scene.runtime(definition, invocation -> (work, token) -> WorkExit.ambiguous("unused")),
        definition);
  }

  private static String everything(WorkId work) {
    return scene.state(work) + scene.history(work) + scene.permits(work) + scene.isDispatched(work);
  }
}
