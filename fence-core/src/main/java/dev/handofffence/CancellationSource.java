package dev.handofffence;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Cancels the token that it hands out, once and for good: by a call, with a parent token, or after
 * a time. Thread-safe.
 *
 * <p>Closing detaches a source from its parents and stops its clock; it cancels nothing. Close a
 * source that is linked to a longer-lived token or has a time that is not over.
 */
public final class CancellationSource implements AutoCloseable {

  private final Token token = new Token();

  /** What {@link #close} undoes. */
  private final Queue<CancellationToken.Registration> links = new ConcurrentLinkedQueue<>();

  /** Makes a source that is cancelled by {@link #cancel} alone. */
  public CancellationSource() {}

  /**
   * {@return a source that is cancelled with any of the given tokens, or by itself}
   *
   * @param parents tokens to follow
   */
  public static CancellationSource linkedTo(CancellationToken... parents) {
    CancellationSource source = new CancellationSource();
    for (CancellationToken parent : parents) {
      source.links.add(parent.onCancel(source::cancel));
    }
    return source;
  }

  /**
   * Cancels when the time is over, on a thread of the JVM's common pool, by the JVM's monotonic
   * clock: for budgets of a process. Leases and deadlines of Work are the database's to judge.
   *
   * @param time 0 or more; may be called again, the shortest counts
   * @return this source
   * @throws IllegalArgumentException when the time is negative
   */
  public CancellationSource cancelAfter(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("A time of 0 or more is needed, but it is " + time);
    }
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    links.add(() -> over.cancel(false));
    CompletableFuture<Void> unused = // what an action throws has nobody to reach
        over.completeOnTimeout(true, time.toNanos(), TimeUnit.NANOSECONDS)
            .thenRunAsync(this::cancel);
    return this;
  }

  /** {@return the token, the same at every call} */
  public CancellationToken token() {
    return token;
  }

  /**
   * Cancels the token and runs its registered actions on this thread, each once. Later calls do
   * nothing.
   *
   * @throws RuntimeException what the first throwing action threw, after all of them ran; the
   *     others' are suppressed on it
   */
  public void cancel() {
    token.cancel();
  }

  /** Stops following the parents and the clock. Idempotent. */
  @Override
  public void close() {
    links.forEach(CancellationToken.Registration::close);
  }

  /** The token of one source. */
  static final class Token implements CancellationToken {

    private final Set<Action> actions = new LinkedHashSet<>();
    private volatile boolean cancelled;

    private Token() {}

    @Override
    public boolean isCancelled() {
      return cancelled;
    }

    @Override
    public Registration onCancel(Runnable run) {
      Action action = new Action(Objects.requireNonNull(run, "action"));
      synchronized (actions) {
        if (!cancelled) {
          actions.add(action);
          return () -> remove(action);
        }
      }
      action.runOnce();
      return () -> {};
    }

    private void remove(Action action) {
      synchronized (actions) {
        actions.remove(action);
      }
      action.close();
    }

    private void cancel() {
      Set<Action> due;
      synchronized (actions) {
        if (cancelled) {
          return;
        }
        cancelled = true;
        due = new LinkedHashSet<>(actions);
        actions.clear();
      }
      runAll(due);
    }

    private static void runAll(Set<Action> due) {
      RuntimeException first = null;
      for (Action action : due) {
        try {
          action.runOnce();
        } catch (RuntimeException e) {
          if (first == null) {
            first = e;
          } else if (first != e) {
            first.addSuppressed(e);
          }
        }
      }
      if (first != null) {
        throw first;
      }
    }

    @Override
    public void throwIfCancelled() {
      if (cancelled) {
        throw new CancellationException("The operation was cancelled by its token");
      }
    }
  }

  /** Runs at most once; closing waits for a run in progress on another thread. */
  private static final class Action {

    private final Runnable run;
    private boolean done;

    Action(Runnable run) {
      this.run = run;
    }

    /** The monitor is reentrant: an action may close its own registration. */
    synchronized void runOnce() {
      if (!done) {
        done = true;
        run.run();
      }
    }

    synchronized void close() {
      done = true;
    }
  }
}
