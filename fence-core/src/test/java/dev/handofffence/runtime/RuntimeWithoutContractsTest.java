package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.WorkId;
import dev.handofffence.work.ProviderSafety;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A runtime without executors is for applications that only accept; running it is a mistake. */
class RuntimeWithoutContractsTest {

  private final PumpScene scene = new PumpScene();
  private final DurableRuntime runtime = scene.builder().build();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void runtimeWithoutContracts_accepts() {
    WorkId work = scene.accept(runtime, PumpScene.definition(ProviderSafety.IDEMPOTENT));

    assertThat(scene.state(work)).isEqualTo("ready");
  }

  @Test
  void runtimeWithoutContracts_neitherPumpsNorHosts() {
    assertThatThrownBy(runtime::pump)
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR100")
        .hasMessageContaining("no contract is registered")
        .hasMessageContaining("call register before build");
    assertThatThrownBy(() -> runtime.startHost().close())
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("no contract is registered");
  }
}
