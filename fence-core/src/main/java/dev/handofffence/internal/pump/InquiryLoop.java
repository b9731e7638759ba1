package dev.handofffence.internal.pump;

import dev.handofffence.internal.log.OutageLog;
import dev.handofffence.internal.thread.Backoff;
import dev.handofffence.internal.thread.Doorbell;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.ReconciliationResult;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Asks reconcilers for as long as a host claims, on a thread of its own: a provider that answers
 * slowly holds up no claim.
 */
final class InquiryLoop {

  private static final PumpPass PASS = new PumpPass(1_000, Duration.ofSeconds(10));
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final PumpParts parts;
  private final HostLife life;
  private final BooleanSupplier mayAsk;
  private final InFlight inFlight = new InFlight();
  private final Doorbell doorbell = new Doorbell();
  private final OutageLog outage = InquiryRun.outageLog();
  private final Backoff polling =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(15), new SplittableRandom());

  InquiryLoop(PumpParts parts, HostLife life, BooleanSupplier mayAsk) {
    this.parts = parts;
    this.life = life;
    this.mayAsk = mayAsk;
  }

  /** Ends the pause: the host drains. */
  void ring() {
    doorbell.ring();
  }

  /** Runs until the host drains and what was asked is answered or given up. */
  void run() {
    try {
      while (!life.isDraining()) {
        step();
        doorbell.await(polling.next());
      }
      while (inFlight.count() > 0 && life.untilGivingUp() > 0) {
        inFlight.awaitNone(Math.min(LOOK_NANOS, life.untilGivingUp()));
      }
    } finally {
      life.end();
    }
  }

  private void step() {
    if (!mayAsk.getAsBoolean()) {
      return;
    }
    try {
      ReconciliationResult result =
          new InquiryRun(parts, PASS, life.token(), mayAsk, inFlight, outage).start();
      if (result.asked() > 0) {
        polling.reset();
      }
    } catch (RuntimeException | Error e) { // the loop outlives a mistake of ours, a driver, a pool
      outage.failed(Failures.describe(e));
    }
  }
}
