package dev.handofffence.internal.pump;

import dev.handofffence.Problem;
import dev.handofffence.internal.presence.IdleMark;
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

  /** A host that has had no pause for so long needs no notification. */
  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final PumpParts parts;
  private final PumpEngine engine;
  private final WorkerPresence presence;
  private final IdleMark idle;
  private final HostLife life;
  private final Doorbell doorbell;
  private final InFlight inFlight = new InFlight();
  private final Backoff polling;
  private final Backoff failing =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), new SplittableRandom());

  private volatile Optional<Problem> problem = Optional.empty();
  private volatile Optional<String> observed = Optional.empty();
  private volatile boolean hasPassed;
  private volatile boolean pausing;
  private volatile long steppedAt = System.nanoTime();

  /** These belong to the thread. */
  private long awakeSince = steppedAt;

  private boolean wasCalled;

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
    this.idle = presence.idleMark();
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
      idle.takeBack(engine.runtime());
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

  /** Returns what was seen of that, a fixed text. */
  Optional<String> observed() {
    return observed;
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
    wasCalled = doorbell.await(nanos);
    steppedAt = System.nanoTime();
    awakeSince = nanos > 0 ? steppedAt : awakeSince;
    pausing = false;
  }

  /** Looks for Work once; returns how long to pause. */
  private long step() {
    try {
      if (mayClaim()) {
        return look();
      }
      idle.takeBack(engine.runtime());
      return polling.next();
    } catch (RuntimeException | Error e) { // the loop outlives a mistake of ours, a driver, a pool
      engine.outage().failed(Failures.describe(e));
      observed = Optional.of(e.getClass().getName());
      problem = Optional.of(Problem.STORE_UNAVAILABLE);
      return failing.next();
    }
  }

  private long look() {
    PassRun pass = new PassRun(parts, engine, PASS, life.token(), this::goesOn, inFlight);
    PumpResult result = pass.start();
    observed = pass.observed();
    problem = result.stoppedBy();
    return problem.isPresent() ? pauseAfter(problem.get()) : pauseAfter(pass, result);
  }

  /** Acceptance need not notify a host that is busy. */
  private boolean goesOn() {
    if (System.nanoTime() - awakeSince > BUSY_NANOS) {
      idle.takeBack(engine.runtime());
    }
    idle.takeBackWhenCrowded(engine.runtime());
    return mayClaim();
  }

  private long pauseAfter(Problem stoppedBy) {
    if (stoppedBy == Problem.STORE_UNAVAILABLE) {
      engine.forgetConnections();
    }
    presence.hurry();
    return failing.next();
  }

  private long pauseAfter(PassRun pass, PumpResult result) {
    hasPassed = true;
    failing.reset();
    boolean hasFound = foundWork(result);
    if (hasFound) {
      polling.reset();
    }
    if (wasCalled || hasFound) {
      idle.wasCalled(!hasFound);
    }
    if (pass.sawNothing()) {
      return pauseOfIdle();
    }
    return hasFound || !pass.hasLooked() ? 0 : pauseOfPolling();
  }

  /** Whoever asks to be notified looks once more: what was accepted before was not notified. */
  private long pauseOfIdle() {
    if (idle.set(engine.runtime())) {
      awakeSince = System.nanoTime();
      return 0;
    }
    return pauseOfPolling();
  }

  /** While calls are of no use, the pause ends in time to ask for them again. */
  private long pauseOfPolling() {
    idle.takeBackWhenCrowded(engine.runtime());
    long rest = idle.nanosOfRest();
    return rest > 0 ? Math.min(rest, polling.next()) : polling.next();
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
