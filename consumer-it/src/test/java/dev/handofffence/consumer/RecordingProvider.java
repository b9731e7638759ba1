package dev.handofffence.consumer;

import dev.handofffence.ActivityId;
import dev.handofffence.CancellationToken;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A provider that remembers every call, repetitions included. */
public final class RecordingProvider implements ReceiptProvider {

  /** One call. */
  public record Delivery(ActivityId key, Receipt receipt) {}

  private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();

  @Override
  public String send(ActivityId idempotencyKey, Receipt receipt, CancellationToken cancellation) {
    deliveries.add(new Delivery(idempotencyKey, receipt));
    return "sent-" + deliveries.size();
  }

  public List<Delivery> deliveries() {
    return List.copyOf(deliveries);
  }
}
