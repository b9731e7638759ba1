package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.WorkId;
import dev.handofffence.work.PayloadCodec;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkExit;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Work that this runtime cannot run is left or suspended, before any permit, and nothing is lost.
 */
class ContractTest {

  private static final WorkExecutorFactory<String, String> SENDS =
      invocation -> (work, cancellation) -> WorkExit.succeeded("sent");

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
  void unregisteredContract_isNotEvenDiscovered() {
    WorkDefinition<String, String> known = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    WorkDefinition<String, String> unknown = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = scene.runtime(known, SENDS);
    WorkId work = scene.accept(runtime, unknown);

    assertThat(runtime.pump().runOnce(PumpPass.of(8)))
        .isEqualTo(new PumpResult(0, 0, 0, 0, 0, 0, 0, 0, Optional.empty()));
    assertThat(scene.state(work)).isEqualTo("ready");
    assertThat(scene.isDispatched(work)).isTrue();
  }

  @Test
  void otherVersion_isLeftToARuntimeThatHasIt() {
    WorkDefinition<String, String> newer = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    WorkDefinition<String, String> older =
        WorkDefinition.named(newer.name(), "v0")
            .payload(PayloadCodecs.text())
            .result(PayloadCodecs.text())
            .providerSafety(ProviderSafety.IDEMPOTENT)
            .build();
    DurableRuntime oldRuntime = scene.runtime(older, SENDS);
    WorkId newWork = scene.accept(oldRuntime, newer);
    WorkId oldWork = scene.accept(oldRuntime, older);

    oldRuntime.pump().runOnce(PumpPass.of(8));

    assertThat(scene.state(oldWork)).isEqualTo("succeeded");
    assertThat(scene.state(newWork)).isEqualTo("ready");
  }

  @Test
  void payloadThatCannotBeDecoded_suspends() {
    WorkDefinition<String, String> good = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    WorkId work = scene.accept(scene.runtime(good, SENDS), good);

    runWith(good, new UndecodableText("text"));

    assertSuspended(work, "payload_undecodable");
  }

  @Test
  void payloadOfAnotherFormat_suspends() {
    WorkDefinition<String, String> good = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    WorkId work = scene.accept(scene.runtime(good, SENDS), good);

    runWith(good, new UndecodableText("other"));

    assertSuspended(work, "payload_format_unknown");
  }

  @Test
  void payloadThatWasChangedInTheStore_suspends() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime = scene.runtime(definition, SENDS);
    WorkId work = scene.accept(runtime, definition);
    scene.change("work_snapshot", work, "payload = 'another note'");

    runtime.pump().runOnce(PumpPass.of(8));

    assertSuspended(work, "payload_hash_mismatch");
  }

  @Test
  void factoryThatThrows_suspends() {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        scene.runtime(
            definition,
            invocation -> {
              throw new IllegalStateException("thrown by the factory");
            });
    WorkId work = scene.accept(runtime, definition);

    PumpResult result = runtime.pump().runOnce(PumpPass.of(8));

    assertThat(result).isEqualTo(new PumpResult(1, 1, 0, 0, 0, 1, 0, 0, Optional.empty()));
    assertSuspended(work, "executor_unavailable");
  }

  @Test
  void resultThatCannotBeEncoded_isAnUnknownOutcome() {
    WorkDefinition<String, String> definition =
        WorkDefinition.named("notes.unencodable", "v1")
            .payload(PayloadCodecs.text())
            .<String>result(new UndecodableText("text"))
            .providerSafety(ProviderSafety.MANUAL_RESOLUTION)
            .build();
    DurableRuntime runtime = scene.runtime(definition, SENDS);
    WorkId work = scene.accept(runtime, definition);

    runtime.pump().runOnce(PumpPass.of(8));

    assertThat(scene.state(work)).isEqualTo("suspended/manual_resolution");
    assertThat(scene.permits(work)).isEqualTo("unresolved");
    assertThat(scene.history(work)).endsWith("suspended:result_unencodable");
  }

  private static void runWith(
      WorkDefinition<String, String> accepted, PayloadCodec<String> payload) {
    WorkDefinition<String, String> deployed =
        WorkDefinition.named(accepted.name(), accepted.version())
            .payload(payload)
            .result(PayloadCodecs.text())
            .providerSafety(ProviderSafety.IDEMPOTENT)
            .build();
    scene.runtime(deployed, SENDS).pump().runOnce(PumpPass.of(8));
  }

  private static void assertSuspended(WorkId work, String code) {
    assertThat(scene.state(work)).isEqualTo("suspended/contract_unavailable");
    assertThat(scene.permits(work)).isEqualTo("null");
    assertThat(scene.history(work)).isEqualTo("accepted claimed suspended:" + code);
    assertThat(scene.isDispatched(work)).isFalse();
  }

  private record UndecodableText(String format) implements PayloadCodec<String> {
    @Override
    public byte[] encode(String value) {
      throw new IllegalArgumentException("cannot encode");
    }

    @Override
    public String decode(byte[] bytes) {
      throw new IllegalArgumentException("cannot decode");
    }
  }
}
