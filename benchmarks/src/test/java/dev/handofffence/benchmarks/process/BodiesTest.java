package dev.handofffence.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BodiesTest {

  private final Bodies bodies = new Bodies();

  @Test
  void payload_hasHundredBytes() {
    assertThat(Bodies.payload().getBytes(StandardCharsets.UTF_8)).hasSize(100);
  }

  @Test
  void latency_isFromPayloadToRun() {
    bodies.keepLatencies();
    long start = System.nanoTime();
    String payload = Bodies.payload();
    bodies.run(payload);
    assertThat(bodies.latencies())
        .singleElement()
        .satisfies(nanos -> assertThat(nanos).isBetween(0L, System.nanoTime() - start));
  }

  @Test
  void await_endsWhenEnoughHaveRun() {
    bodies.run(Bodies.payload());
    assertThat(bodies.await(1, 0)).isTrue();
  }

  @Test
  void await_givesUp() {
    assertThat(bodies.await(1, 0)).isFalse();
  }
}
