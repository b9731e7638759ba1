package dev.handofffence.internal.pump;

import dev.handofffence.CancellationToken;
import dev.handofffence.Problem;
import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.ClaimedWork;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.store.UnusableStoreException;
import dev.handofffence.internal.thread.Threads;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.internal.work.Permits;
import dev.handofffence.work.ProviderSafety;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes claims to their end: prepares, permits and invokes them and hands their reports over.
 *
 * <p>Whatever is dropped on the way is handed back if it has no permit, and no longer renewed:
 * where it could not be handed back its lease runs out, and recovery decides by what was committed.
 */
final class AttemptRunner {

  private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);

  /** A Work that stays locked for so long is handed back, or left to recovery. */
  private static final int PERMIT_TRIES = 5;

  private static final Duration BUSY_PAUSE = Duration.ofMillis(20);

  private final PumpParts parts;
  private final PumpEngine engine;
  private final Tally tally;
  private final CancellationToken pass;
  private final InFlight inFlight;

  AttemptRunner(
      PumpParts parts, PumpEngine engine, Tally tally, CancellationToken pass, InFlight inFlight) {
    this.parts = parts;
    this.engine = engine;
    this.tally = tally;
    this.pass = pass;
    this.inFlight = inFlight;
  }

  /**
   * Begins to answer for a claim: its lease is renewed until it is started or handed back.
   *
   * @param askedAt {@link System#nanoTime()} before the claim was asked for
   */
  RunningAttempt hold(ClaimedWork work, long askedAt) {
    RunningAttempt running = new RunningAttempt(work, askedAt, pass);
    engine.leases().hold(running.lease());
    return running;
  }

  /**
   * Starts what can be started; each started attempt has one of the places and gives it back
   * itself.
   *
   * @throws Error of the application's {@link Executor}, when all that was permitted is reported
   */
  void start(List<RunningAttempt> claimed, Slots.Taken places) throws SQLException {
    Set<RunningAttempt> held = new LinkedHashSet<>(claimed);
    boolean decided = false;
    try {
      permitAndInvoke(prepare(held), held, places);
      decided = true;
    } finally {
      end(List.copyOf(held), decided);
    }
  }

  /**
   * What could not be started for a reason of today is for somebody else to start. After a failure
   * it is not, which would fail there as well: its lease runs out, so that it does not go in
   * circles.
   */
  private void end(List<RunningAttempt> rest, boolean decided) {
    if (decided && !rest.isEmpty()) {
      handBack(rest);
    } else {
      rest.forEach(this::drop);
    }
  }

  /** Hands claims back that were not started. Where that fails, their leases run out. */
  void handBack(List<RunningAttempt> claimed) {
    claimed.forEach(this::drop); // first: a renewal would find them lost
    try {
      parts
          .claims()
          .handBack(engine.runtime(), claimed.stream().map(r -> r.work().claim()).toList());
    } catch (SQLException | UnusableStoreException e) {
      LOG.debug("{} claims are not handed back: {}", claimed.size(), Failures.describe(e));
    }
  }

  private void drop(RunningAttempt running) {
    engine.leases().release(running.lease());
    running.close();
  }

  private List<Ready> prepare(Set<RunningAttempt> held) throws SQLException {
    List<Ready> ready = new ArrayList<>();
    for (RunningAttempt running : List.copyOf(held)) {
      Preparation.Prepared prepared = parts.preparation().prepare(running.work());
      if (prepared instanceof Preparation.Prepared.Ready made) {
        ready.add(new Ready(made.attempt(), running));
      } else if (prepared instanceof Preparation.Prepared.Unavailable unavailable) {
        Claim claim = running.work().claim();
        tally.ended(parts.claims().giveUp(engine.runtime(), claim, unavailable.code()));
      } else { // interrupted, as it would be again at once
        held.remove(running);
        drop(running);
      }
    }
    return ready;
  }

  /** Invokes the permitted, which are no longer held for the caller to drop. */
  private void permitAndInvoke(List<Ready> prepared, Set<RunningAttempt> held, Slots.Taken places)
      throws SQLException {
    List<Ready> ready = prepared;
    for (int tries = 0; tries < PERMIT_TRIES && !ready.isEmpty() && !pass.isCancelled(); tries++) {
      long askedAt = System.nanoTime();
      Permits.Granted granted =
          parts.permits().grant(engine.runtime(), ready.stream().map(Ready::claim).toList());
      List<Ready> permitted = new ArrayList<>();
      for (Ready one : ready) {
        Duration remaining = granted.permitted().get(one.claim());
        if (remaining != null) {
          held.remove(one.running);
          one.running.lease().extend(askedAt, remaining);
          permitted.add(one);
        }
      }
      invokeAll(permitted, places);
      for (Claim refused : granted.refused()) {
        tally.ended(parts.permits().settleRefused(engine.runtime(), refused));
      }
      ready = ready.stream().filter(r -> granted.busy().contains(r.claim())).toList();
      if (!ready.isEmpty() && tries + 1 < PERMIT_TRIES) {
        Threads.pause(BUSY_PAUSE);
      }
    }
  }

  /** An Error is thrown on when every one has been invoked or reported as not invoked. */
  private void invokeAll(List<Ready> permitted, Slots.Taken places) {
    @Nullable Error first = null;
    for (Ready one : permitted) {
      places.leaveOne();
      inFlight.started();
      @Nullable Error error = invoke(one.attempt, one.running);
      first = first == null ? error : first;
    }
    if (first != null) {
      throw first;
    }
  }

  /**
   * Hands an attempt to the application's executor, which may throw anything: also after it has
   * begun the attempt or kept it for later, so the first of the two decides whether it runs.
   */
  private @Nullable Error invoke(Attempt<?, ?> attempt, RunningAttempt running) {
    AtomicBoolean decided = new AtomicBoolean();
    Executor executor = parts.executor();
    try {
      executor.execute(
          () -> {
            if (decided.compareAndSet(false, true)) {
              run(attempt, running);
            }
          });
    } catch (Throwable e) { // no thread could be started, or a mistake of a custom executor
      if (decided.compareAndSet(false, true)) {
        notInvoked(attempt, running, e);
      }
      return e instanceof Error error ? error : null;
    }
    return null;
  }

  private void notInvoked(Attempt<?, ?> attempt, RunningAttempt running, Throwable why) {
    try {
      LOG.warn("Work {}: the executor threw {}", attempt.claim().workId(), Failures.describe(why));
    } finally {
      parts.slots().giveBack(1);
      report(attempt.notInvoked("executor_rejected"), running);
    }
  }

  /** Nothing that is thrown on the way may cost the place or the report. */
  private void run(Attempt<?, ?> attempt, RunningAttempt running) {
    Completion completion = attempt.unknown();
    WorkId work = attempt.claim().workId();
    parts.underway().begin(work);
    try {
      tally.invoked();
      completion = attempt.invoke(running.token());
    } finally {
      parts.underway().end(work);
      parts.slots().giveBack(1);
      report(completion, running);
    }
  }

  private void report(Completion completion, RunningAttempt running) {
    engine
        .completions()
        .add(
            completion,
            isUrgent(running.work().providerSafety()),
            running.lease(),
            new End(running));
  }

  /** Losing the report of these with the process would cost a decision, not just a repetition. */
  private static boolean isUrgent(ProviderSafety safety) {
    return safety == ProviderSafety.RECONCILE_BEFORE_RETRY
        || safety == ProviderSafety.MANUAL_RESOLUTION;
  }

  private record Ready(Attempt<?, ?> attempt, RunningAttempt running) {
    Claim claim() {
      return attempt.claim();
    }
  }

  private final class End implements CompletionGroup.Listener {

    private final RunningAttempt running;

    End(RunningAttempt running) {
      this.running = running;
    }

    @Override
    public void recorded(Ending ending) {
      tally.ended(ending);
      end();
    }

    @Override
    public void lost(Optional<Problem> problem) {
      problem.ifPresent(tally::stopped);
      end();
    }

    private void end() {
      drop(running);
      inFlight.ended();
    }
  }
}
