package dev.handofffence;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * Cancels the token that it hands out, once and for good. Thread-safe.
 *
 * <p>Closing detaches a linked source from its parents; it cancels nothing. Close a source that was
 * linked to a longer-lived token.
 */
public final class CancellationSource implements AutoCloseable {

  private final Token token = new Token();
  private final Set<CancellationToken.Registration> links = new LinkedHashSet<>();

  public CancellationSource() {}

  /**
   * Returns a source that is cancelled with any of the given tokens, or by itself.
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

  /** Stops following the parents of a linked source. Idempotent. */
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
