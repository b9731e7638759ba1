package dev.handofffence.internal.pump;

import dev.handofffence.Problem;
import dev.handofffence.internal.presence.WorkerPresence;
import dev.handofffence.internal.presence.WorkerPresence.Standing;
import dev.handofffence.internal.thread.Backoff;
import dev.handofffence.internal.thread.Doorbell;
import dev.handofffence.runtime.HostOptions;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.PumpResult;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims what is due, pass after pass, while earlier attempts still run; ends by waiting for them.
 * Runs on one thread; what it tells about itself may be read from any.
 */
final class HostLoop {

  private static final Logger LOG = LoggerFactory.getLogger(HostLoop.class);

  /** Bounded, so that rows that were tried in vain get another chance soon. */
  private static final PumpPass PASS = new PumpPass(1_000, Duration.ofSeconds(1));

  /** A host that would wait so long for its next look is glad of a notification. */
  private static final Duration IDLE_PAUSE = Duration.ofMillis(100);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final PumpParts parts;
  private final PumpEngine engine;
  private final WorkerPresence presence;
  private final HostLife life;
  private final Doorbell doorbell;
  private final InFlight inFlight = new InFlight();
  private final Backoff polling;
  private final Backoff failing =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), new SplittableRandom());

  private volatile Optional<Problem> problem = Optional.empty();
  private volatile boolean hasPassed;
  private volatile boolean pausing;
  private volatile long steppedAt = System.nanoTime();

  HostLoop(
      PumpParts parts,
      PumpEngine engine,
      WorkerPresence presence,
      HostLife life,
      Doorbell doorbell,
      HostOptions options) {
    this.parts = parts;
    this.engine = engine;
    this.presence = presence;
    this.life = life;
    this.doorbell = doorbell;
    this.polling =
        new Backoff(options.fastestPoll(), options.slowestPoll(), new SplittableRandom());
  }

  /** Runs until the host drains and its attempts have ended or are given up. */
  void run() {
    try {
      while (!life.isDraining()) {
        pause(step());
      }
      awaitAttempts();
    } finally {
      engine.close();
      presence.close();
      life.end();
    }
  }

  /** Returns why the last pass stopped early. */
  Optional<Problem> problem() {
    return problem;
  }

  boolean hasPassed() {
    return hasPassed;
  }

  /** Returns how long the present step has taken; zero between two steps. */
  long nanosInStep() {
    return pausing ? 0 : System.nanoTime() - steppedAt;
  }

  int running() {
    return inFlight.count();
  }

  private void pause(long nanos) {
    pausing = true;
    doorbell.await(nanos);
    steppedAt = System.nanoTime();
    pausing = false;
  }

  /** Looks for Work once; returns how long to pause. */
  private long step() {
    if (!mayClaim()) {
      presence.setIdle(true);
      return polling.next();
    }
    try {
      return pauseAfter(pass());
    } catch (RuntimeException | Error e) { // the loop outlives a mistake of ours, a driver, a pool
      engine.outage().failed(Failures.describe(e));
      problem = Optional.of(Problem.STORE_UNAVAILABLE);
      return failing.next();
    }
  }

  private PumpResult pass() {
    return new PassRun(parts, engine, PASS, life.token(), this::mayClaim, inFlight).start();
  }

  private long pauseAfter(PumpResult result) {
    problem = result.stoppedBy();
    if (problem.isPresent()) {
      if (problem.get() == Problem.STORE_UNAVAILABLE) {
        engine.forgetConnections();
      }
      presence.hurry();
      return failing.next();
    }
    hasPassed = true;
    failing.reset();
    return foundWork(result) ? continueAtOnce() : pauseOfIdle();
  }

  private long continueAtOnce() {
    polling.reset();
    presence.setIdle(false);
    return 0;
  }

  private long pauseOfIdle() {
    presence.setIdle(polling.isAtLeast(IDLE_PAUSE));
    return polling.next();
  }

  /** A row that was only met, because somebody has it locked, is no reason to hurry. */
  private static boolean foundWork(PumpResult result) {
    return result.claimed() + result.retried() + result.suspended() + result.ended() > 0;
  }

  /** An outage of the presence alone stops nothing; the passes find out for themselves. */
  boolean mayClaim() {
    Standing standing = presence.standing();
    return !life.isDraining()
        && standing.registered()
        && !standing.drainRequested()
        && standing.problem().filter(p -> p != Problem.STORE_UNAVAILABLE).isEmpty();
  }

  private void awaitAttempts() {
    while (inFlight.count() > 0 && life.untilGivingUp() > 0) {
      inFlight.awaitNone(Math.min(LOOK_NANOS, life.untilGivingUp()));
    }
    if (inFlight.count() > 0) {
      life.giveUp();
      LOG.warn("{} attempts did not end in time; recovery decides about them", inFlight.count());
    }
  }
}
