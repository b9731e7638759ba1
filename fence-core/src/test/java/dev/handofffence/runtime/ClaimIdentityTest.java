package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every part of a claim's identity counts, for every write of its holder. */
class ClaimIdentityTest {

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
    "work, attempt = 0",
    "work, lease_generation = 7",
    "work, lease_owner = gen_random_uuid()",
    "work, scope_generation = 7",
    "work, epoch = gen_random_uuid()",
    "dispatch, lease_generation = 7",
    "dispatch, lease_owner = gen_random_uuid()",
  })
  void permit_isRefused_whenOnePartDiffers(String table, String change) throws SQLException {
    WorkId work = accept();
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claim(work);
      scene.change(table, work, change);

      assertThat(worker.permit(claim).permitted()).isEmpty();
    }
    assertThat(scene.permits(work)).isEqualTo("null");
  }

  @ParameterizedTest
  @CsvSource({
    "work, 'attempt = 0, permitted_attempts = 0'",
    "work, lease_generation = 7",
    "work, lease_owner = gen_random_uuid()",
    "work, scope_generation = 7",
    "work, epoch = gen_random_uuid()",
    "dispatch, lease_generation = 7",
    "dispatch, lease_owner = gen_random_uuid()",
    "permit, lease_generation = 7",
    "permit, state = 'granted'",
  })
  void report_isQuarantined_whenOnePartDiffers(String table, String change) throws SQLException {
    WorkId work = accept();
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claimAndPermit(work);
      scene.change(table, work, change);

      assertThat(worker.succeed(claim)).contains(Ending.QUARANTINED);
    }
    assertThat(scene.state(work)).isEqualTo("permitted");
  }

  @ParameterizedTest
  @CsvSource({"lease_generation = 7", "lease_owner = gen_random_uuid()"})
  void renewal_isRefused_whenOnePartDiffers(String change) throws SQLException {
    WorkId work = accept();
    try (OtherWorker worker = new OtherWorker(scene)) {
      Claim claim = worker.claim(work);
      scene.change("dispatch", work, change);

      assertThat(worker.renew(claim)).isEmpty();
    }
  }

  private static WorkId accept() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        scene.runtime(definition, i -> (work, cancellation) -> WorkExit.succeeded("sent"));
    return scene.accept(runtime, definition);
  }
}
