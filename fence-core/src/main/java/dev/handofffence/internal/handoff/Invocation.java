package dev.handofffence.internal.handoff;

import dev.handofffence.StoreIdentity;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.internal.claim.Claim;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One attempt's run of its executor: made when the pump prepares the attempt, live from the start
 * of {@link #run} until its end, and never again (protocol section 5).
 *
 * <p>{@link #run} is the only thing that brings the fence to life; whoever holds the fence alone
 * cannot. Only {@link InvocationBinder} makes one.
 */
public final class Invocation {

  /**
   * The invocation whose executor runs on this thread. It tells a fence that another live
   * invocation has lent to this one from a fence that a helper thread of its own invocation uses.
   */
  private static final ThreadLocal<@Nullable Invocation> RUNNING = new ThreadLocal<>();

  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.PREPARED);
  private final Claim claim;
  private final StoreIdentity store;
  private final FenceSettings settings;
  private final HandoffFence fence;

  private enum Phase {
    PREPARED,
    LIVE,
    ENDED
  }

  /**
   * Prepares an invocation; its fence refuses until {@link #run}.
   *
   * @param claim the attempt that the fence speaks for
   * @param store store and epoch that the fence must find
   * @param settings shared by all invocations of a runtime
   */
  Invocation(Claim claim, StoreIdentity store, FenceSettings settings) {
    this.claim = Objects.requireNonNull(claim, "claim");
    this.store = Objects.requireNonNull(store, "store");
    this.settings = Objects.requireNonNull(settings, "settings");
    this.fence = new InvocationFence(this);
  }

  /** Returns the fence of this attempt, the same at every call. */
  public HandoffFence fence() {
    return fence;
  }

  /**
   * Runs the executor with the fence live, once.
   *
   * @param execution the call of the executor and nothing else
   * @throws IllegalStateException when it ran or was ended before
   */
  public <T> T run(Callable<T> execution) throws Exception {
    if (!phase.compareAndSet(Phase.PREPARED, Phase.LIVE)) {
      throw new IllegalStateException("An invocation runs once");
    }
    Invocation outer = RUNNING.get();
    RUNNING.set(this);
    try {
      return execution.call();
    } finally {
      end();
      restore(outer);
    }
  }

  /**
   * Ends the fence's life for good, also while the executor still runs: for a pump that stops
   * waiting for it. Idempotent.
   */
  public void end() {
    phase.set(Phase.ENDED);
  }

  /** Whether the executor runs, and this thread is not busy with another invocation's. */
  boolean isLive() {
    Invocation running = RUNNING.get();
    return phase.get() == Phase.LIVE && (running == null || running == this);
  }

  Claim claim() {
    return claim;
  }

  StoreIdentity store() {
    return store;
  }

  FenceSettings settings() {
    return settings;
  }

  private static void restore(@Nullable Invocation outer) {
    if (outer == null) {
      RUNNING.remove();
    } else {
      RUNNING.set(outer);
    }
  }
}
