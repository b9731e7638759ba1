package dev.handofffence.internal.pump;

import dev.handofffence.CancellationToken;
import dev.handofffence.Problem;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.ClaimedWork;
import dev.handofffence.internal.claim.Completion;
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
import java.util.concurrent.RejectedExecutionException;

/**
 * Takes claims to their end: prepares, permits and invokes them and hands their reports over.
 *
 * <p>Whatever is dropped on the way is simply no longer renewed: its lease runs out, and recovery
 * decides by what was committed.
 */
final class AttemptRunner {

  /** A Work that stays locked for so long is left to recovery. */
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
   * Starts what can be started; each started attempt has one of the caller's places and gives it
   * back itself.
   *
   * @param askedAt {@link System#nanoTime()} before the claims were asked for
   * @return how many were started
   */
  int start(List<ClaimedWork> claimed, long askedAt) throws SQLException {
    Set<RunningAttempt> held = new LinkedHashSet<>();
    claimed.forEach(work -> held.add(hold(work, askedAt)));
    try {
      return permitAndInvoke(prepare(held), held);
    } finally {
      held.forEach(this::drop);
    }
  }

  private RunningAttempt hold(ClaimedWork work, long askedAt) {
    RunningAttempt running = new RunningAttempt(work, askedAt, pass);
    engine.leases().hold(running.lease());
    return running;
  }

  private void drop(RunningAttempt running) {
    engine.leases().release(running.lease());
    running.close();
  }

  private List<Ready> prepare(Set<RunningAttempt> held) throws SQLException {
    List<Ready> ready = new ArrayList<>();
    for (RunningAttempt running : held) {
      Preparation.Prepared prepared = parts.preparation().prepare(running.work());
      if (prepared instanceof Preparation.Prepared.Ready made) {
        ready.add(new Ready(made.attempt(), running));
      } else if (prepared instanceof Preparation.Prepared.Unavailable unavailable) {
        Claim claim = running.work().claim();
        tally.ended(parts.claims().giveUp(engine.runtime(), claim, unavailable.code()));
      }
    }
    return ready;
  }

  /** Invokes the permitted, which are no longer held for the caller to drop. */
  private int permitAndInvoke(List<Ready> prepared, Set<RunningAttempt> held) throws SQLException {
    int started = 0;
    List<Ready> ready = prepared;
    for (int tries = 0; tries < PERMIT_TRIES && !ready.isEmpty() && !pass.isCancelled(); tries++) {
      long askedAt = System.nanoTime();
      Permits.Granted granted =
          parts.permits().grant(engine.runtime(), ready.stream().map(Ready::claim).toList());
      granted.endings().forEach(tally::ended);
      for (Ready one : ready) {
        Duration remaining = granted.permitted().get(one.claim());
        if (remaining != null) {
          held.remove(one.running);
          one.running.lease().extend(askedAt, remaining);
          invoke(one.attempt, one.running);
          started++;
        }
      }
      ready = ready.stream().filter(r -> granted.busy().contains(r.claim())).toList();
      if (!ready.isEmpty()) {
        Threads.pause(BUSY_PAUSE);
      }
    }
    return started;
  }

  private void invoke(Attempt<?, ?> attempt, RunningAttempt running) {
    inFlight.started();
    Executor executor = parts.executor();
    try {
      executor.execute(() -> run(attempt, running));
    } catch (RejectedExecutionException e) {
      parts.slots().giveBack(1);
      report(attempt.notInvoked("executor_rejected"), running);
    }
  }

  private void run(Attempt<?, ?> attempt, RunningAttempt running) {
    tally.invoked();
    Completion completion;
    try {
      completion = attempt.invoke(running.token());
    } finally {
      parts.slots().giveBack(1);
    }
    report(completion, running);
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
