package dev.handofffence.consumer;

import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import java.time.Duration;

/** The contract of sending a receipt. */
public final class ReceiptWork {

  public static final WorkDefinition<Receipt, ReceiptSent> SEND =
      WorkDefinition.named("receipts.send", "v1")
          .payload(PayloadCodecs.json(Receipt.class))
          .result(PayloadCodecs.json(ReceiptSent.class))
          .providerSafety(ProviderSafety.PROVIDER_KEYED)
          .retry(RetryPolicy.attempts(5).withDelays(Duration.ofMinutes(1), Duration.ofHours(1)))
          .build();

  private ReceiptWork() {}
}
