package dev.handofffence.internal.pump;

import dev.handofffence.Problem;
import dev.handofffence.internal.presence.WorkerPresence;
import dev.handofffence.internal.presence.WorkerPresence.Standing;
import dev.handofffence.internal.sql.WorkerSql;
import dev.handofffence.internal.thread.Doorbell;
import dev.handofffence.internal.thread.Threads;
import dev.handofffence.internal.transaction.StoreConnection;
import dev.handofffence.runtime.HostHealth;
import dev.handofffence.runtime.HostHealth.State;
import dev.handofffence.runtime.HostOptions;
import dev.handofffence.runtime.WorkerHost;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A loop of passes, the worker's presence, and the threads of both. */
final class NativeHost implements WorkerHost {

  private static final int LIFE_IN_HEARTBEATS = 4;

  /** What the end takes when nothing is in its way. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final HostOptions options;
  private final HostLife life;
  private final Doorbell doorbell = new Doorbell();
  private final WorkerPresence presence;
  private final HostLoop loop;
  private final @Nullable InquiryLoop inquiries;

  private NativeHost(PumpParts parts, HostOptions options) {
    boolean reconciles = parts.options().contracts().hasReconcilers();
    this.options = options;
    this.life = new HostLife(reconciles ? 2 : 1);
    this.presence =
        new WorkerPresence(
            parts.options().store(),
            new StoreConnection(parts.options().runtimeDataSource()),
            self(parts.options(), options),
            options.heartbeat(),
            options.listens(),
            doorbell::ring);
    this.loop =
        new HostLoop(
            parts,
            PumpEngine.start(parts.options(), parts.signals()),
            presence,
            life,
            doorbell,
            options);
    this.inquiries = reconciles ? new InquiryLoop(parts, life, loop::mayClaim) : null;
    Threads.start("host", loop::run);
    if (inquiries != null) {
      Threads.start("reconciler", inquiries::run);
    }
  }

  static NativeHost start(PumpParts parts, HostOptions options) {
    return new NativeHost(parts, options);
  }

  private static WorkerSql.Self self(RuntimeOptions runtime, HostOptions options) {
    return new WorkerSql.Self(
        runtime.workerId(),
        UUID.randomUUID(),
        options.displayName(),
        options.heartbeat().multipliedBy(LIFE_IN_HEARTBEATS));
  }

  @Override
  public HostHealth health() {
    Standing standing = presence.standing();
    Optional<Problem> problem = standing.problem().or(loop::problem);
    State state = state(standing, problem);
    return new HostHealth(
        state,
        state == State.STALE
            ? Optional.of(Problem.ACTIVATOR_STALE)
            : problem.or(() -> inquiries == null ? Optional.empty() : inquiries.problem()),
        state == State.STALE ? Optional.empty() : observed(standing),
        loop.running() + (inquiries == null ? 0 : inquiries.running()));
  }

  /** Of the problem that is shown. */
  private Optional<String> observed(Standing standing) {
    return standing.problem().isPresent() ? standing.observed() : loop.observed();
  }

  private State state(Standing standing, Optional<Problem> problem) {
    if (life.hasEnded()) {
      return State.STOPPED;
    } else if (problem.isPresent()) {
      return problem.get() == Problem.STORE_UNAVAILABLE ? State.UNAVAILABLE : State.INCOMPATIBLE;
    } else if (isStale()) {
      return State.STALE;
    } else if (life.isDraining() || standing.drainRequested()) {
      return State.DRAINING;
    }
    return standing.registered() && loop.hasPassed() ? State.HEALTHY : State.NOT_STARTED;
  }

  /** While it drains it only waits. */
  private boolean isStale() {
    return !life.isDraining() && loop.nanosInStep() > options.staleAfter().toNanos();
  }

  boolean hasStopped() {
    return life.hasEnded();
  }

  @Override
  public boolean drain(Duration patience) {
    life.drain();
    ring();
    return life.awaitEnd(patience);
  }

  @Override
  public boolean stopNow(Duration patience) {
    life.stopWithin(patience);
    ring();
    return life.awaitEnd(patience.plus(GRACE));
  }

  @Override
  public void close() {
    if (!drain(options.drainTimeout())) {
      stopNow(options.stopTimeout());
    }
  }

  private void ring() {
    doorbell.ring();
    if (inquiries != null) {
      inquiries.ring();
    }
  }
}
