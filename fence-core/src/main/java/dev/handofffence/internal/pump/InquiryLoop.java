package dev.handofffence.internal.pump;

import dev.handofffence.Problem;
import dev.handofffence.internal.log.OutageLog;
import dev.handofffence.internal.thread.Backoff;
import dev.handofffence.internal.thread.Doorbell;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.ReconciliationResult;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks reconcilers for as long as a host claims, on a thread of its own: a provider that answers
 * slowly holds up no claim.
 */
final class InquiryLoop {

  private static final Logger LOG = LoggerFactory.getLogger(InquiryLoop.class);

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

  private volatile Optional<Problem> problem = Optional.empty();

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
      awaitAnswers();
    } finally {
      life.end();
    }
  }

  /** Returns why the last pass stopped early. */
  Optional<Problem> problem() {
    return problem;
  }

  int running() {
    return inFlight.count();
  }

  private void awaitAnswers() {
    while (inFlight.count() > 0 && life.untilGivingUp() > 0) {
      inFlight.awaitNone(Math.min(LOOK_NANOS, life.untilGivingUp()));
    }
    if (inFlight.count() > 0) {
      life.giveUp();
      LOG.warn("{} reconcilers did not answer in time; they are asked again", inFlight.count());
    }
  }

  private void step() {
    if (!mayAsk.getAsBoolean()) {
      return;
    }
    try {
      ReconciliationResult result =
          new InquiryRun(parts, PASS, life.token(), mayAsk, inFlight, outage).start();
      problem = result.stoppedBy();
      if (result.asked() > 0) {
        polling.reset();
      }
    } catch (RuntimeException | Error e) { // the loop outlives a mistake of ours, a driver, a pool
      outage.failed(Failures.describe(e));
      problem = Optional.of(Problem.STORE_UNAVAILABLE);
    }
  }
}
