package dev.handofffence.internal.pump;

import dev.handofffence.CancellationToken;
import dev.handofffence.runtime.Pump;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.PumpResult;
import dev.handofffence.runtime.ReconciliationResult;
import java.util.Objects;

/** Runs single passes, each with an engine of its own, so that nothing runs between them. */
final class NativePump implements Pump {

  private final PumpParts parts;

  NativePump(PumpParts parts) {
    this.parts = parts;
  }

  @Override
  public PumpResult runOnce(PumpPass pass) {
    return runOnce(pass, CancellationToken.none());
  }

  @Override
  public PumpResult runOnce(PumpPass pass, CancellationToken cancellation) {
    Objects.requireNonNull(pass, "pass");
    Objects.requireNonNull(cancellation, "cancellation");
    try (PumpEngine engine = PumpEngine.start(parts.options(), parts.signals())) {
      return new PassRun(parts, engine, pass, cancellation, () -> true, new InFlight()).run();
    }
  }

  @Override
  public ReconciliationResult reconcile(PumpPass pass) {
    return reconcile(pass, CancellationToken.none());
  }

  @Override
  public ReconciliationResult reconcile(PumpPass pass, CancellationToken cancellation) {
    Objects.requireNonNull(pass, "pass");
    Objects.requireNonNull(cancellation, "cancellation");
    return new InquiryRun(parts, pass, cancellation, () -> true, new InFlight()).run();
  }
}
