package dev.handofffence.soak;

import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import java.time.Duration;
import java.util.Locale;

/** The contracts of the soak, one for each provider safety; leases are short, retries are soon. */
final class SoakWork {

  private SoakWork() {}

  static WorkDefinition<String, String> definition(ProviderSafety safety) {
    return WorkDefinition.named("soak." + safety.name().toLowerCase(Locale.ROOT), "v1")
        .payload(PayloadCodecs.text())
        .result(PayloadCodecs.text())
        .providerSafety(safety)
        .retry(
            RetryPolicy.attempts(6)
                .withDelays(Duration.ofMillis(20), Duration.ofMillis(500))
                .withElapsedHorizon(Duration.ofSeconds(90)))
        .lease(LeasePolicy.of(Duration.ofMillis(800), Duration.ofSeconds(10)))
        .build();
  }
}
