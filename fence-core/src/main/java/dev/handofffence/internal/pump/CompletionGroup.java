package dev.handofffence.internal.pump;

import static java.util.stream.Collectors.toSet;

import dev.handofffence.Problem;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.log.OutageLog;
import dev.handofffence.internal.store.UnusableStoreException;
import dev.handofffence.internal.thread.Threads;
import dev.handofffence.internal.transaction.FailureKind;
import dev.handofffence.internal.transaction.StoreConnection;
import dev.handofffence.internal.work.Completions;
import dev.handofffence.internal.work.Ending;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the reports of many attempts together, from one thread, on a connection of its own.
 *
 * <p>A report waits for others a few milliseconds at most. What is lost with the process costs what
 * the protocol allows for an unknown outcome; a report that must not be lost so is urgent, and
 * takes all that wait along at once.
 */
final class CompletionGroup implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CompletionGroup.class);
  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MOST_DOUBLINGS = 6;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int BATCH = 200;

  private final OutageLog outage = new OutageLog(LOG, "Recording reports");
  private final Completions completions;
  private final StoreConnection connection;
  private final List<Report> waiting = new ArrayList<>();
  private final Thread thread;

  /** When the thread looks by itself; it is not woken for what is due later. */
  private long looksAt = System.nanoTime();

  private boolean closed;

  CompletionGroup(Completions completions, StoreConnection connection) {
    this.completions = completions;
    this.connection = connection;
    this.thread = Threads.start("completions", this::run);
  }

  /** What happens with a report in the end. */
  interface Listener {

    /** It was recorded. */
    void recorded(Ending ending);

    /**
     * It will not be recorded; recovery will find the Work.
     *
     * @param problem of the store, if that is why
     */
    void lost(Optional<Problem> problem);
  }

  /** Takes a report over; returns at once. */
  synchronized void add(Completion completion, boolean urgent, HeldLease lease, Listener listener) {
    long due = System.nanoTime() + (urgent ? 0 : FLUSH_NANOS);
    waiting.add(new Report(completion, lease, listener, due, false, 0));
    if (due - looksAt < 0 || waiting.size() >= BATCH) {
      notifyAll();
    }
  }

  /** Records what is left, as long as leases last, and gives the connection back. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    Threads.join(thread);
  }

  private void run() {
    try {
      List<Report> batch = awaitBatch();
      while (!batch.isEmpty()) {
        record(batch);
        batch = awaitBatch();
      }
    } finally {
      connection.close();
    }
  }

  /** Returns the reports that are to be recorded now; empty when closed and nothing is left. */
  private synchronized List<Report> awaitBatch() {
    long until = untilDue();
    while (until > 0 && !(closed && waiting.isEmpty())) {
      looksAt = System.nanoTime() + until;
      Threads.await(this, until);
      until = untilDue();
    }
    List<Report> batch = dueBy(System.nanoTime() + FLUSH_NANOS);
    waiting.removeAll(batch);
    return batch;
  }

  private List<Report> dueBy(long horizon) {
    return waiting.stream().filter(r -> r.due - horizon <= 0).toList();
  }

  private long untilDue() {
    long now = System.nanoTime();
    if (dueBy(now + FLUSH_NANOS).size() >= BATCH) {
      return 0;
    }
    return waiting.stream().mapToLong(r -> r.due - now).min().orElse(IDLE_NANOS);
  }

  /** What was refused by itself before goes alone, so that it cannot cost the others a trip. */
  private void record(List<Report> batch) {
    List<Report> together = batch.stream().filter(r -> r.refusals == 0).toList();
    if (!together.isEmpty() && send(together)) {
      outage.succeeded();
    }
    batch.stream().filter(r -> r.refusals > 0).forEach(r -> send(List.of(r)));
  }

  /** Returns whether the store took the trip; whatever it is, this thread must go on. */
  private boolean send(List<Report> batch) {
    List<Completion> reported = batch.stream().map(Report::completion).toList();
    Set<Completion> inDoubt =
        batch.stream().filter(Report::inDoubt).map(Report::completion).collect(toSet());
    try {
      Map<Completion, Ending> endings = completions.record(connection, reported, inDoubt);
      batch.forEach(r -> settle(r, endings.get(r.completion), Optional.empty()));
      return true;
    } catch (UnusableStoreException e) {
      LOG.warn("Recording {} reports was refused: {}", batch.size(), e.describe());
      batch.forEach(r -> r.listener.lost(Optional.of(e.problem())));
    } catch (SQLException | RuntimeException e) {
      failed(batch.stream().map(Report::withoutAnswer).toList(), e);
    }
    return false;
  }

  /** One report that the store refuses must not hold up the others: halves lead to it. */
  private void failed(List<Report> batch, Exception failure) {
    FailureKind kind = FailureKind.of(failure);
    if (!kind.mayConcernOneRow()) {
      outage.failed(Failures.describe(failure));
      batch.forEach(r -> settle(r, null, kind.problem()));
    } else if (batch.size() > 1) {
      send(batch.subList(0, batch.size() / 2));
      send(batch.subList(batch.size() / 2, batch.size()));
    } else {
      Report culprit = batch.get(0).refused();
      if (culprit.refusals == 1) {
        LOG.warn("{} cannot be recorded: {}", culprit.name(), Failures.describe(failure));
      }
      settle(culprit, null, kind.problem());
    }
  }

  private void settle(Report report, @Nullable Ending ending, Optional<Problem> problem) {
    long now = System.nanoTime();
    if (ending != null) {
      report.listener.recorded(ending);
    } else if (report.lease.isOver(now)) {
      report.listener.lost(problem);
    } else {
      addAgain(report.dueAt(now + Math.min(report.pause(), report.lease.untilEnd(now))));
    }
  }

  private synchronized void addAgain(Report report) {
    waiting.add(report);
  }

  /**
   * A report with whom it concerns.
   *
   * @param inDoubt whether a trip failed that may have recorded it
   * @param refusals how often the store refused it when it was sent alone
   */
  private record Report(
      Completion completion,
      HeldLease lease,
      Listener listener,
      long due,
      boolean inDoubt,
      int refusals) {

    Report withoutAnswer() {
      return new Report(completion, lease, listener, due, true, refusals);
    }

    Report refused() {
      return new Report(completion, lease, listener, due, inDoubt, refusals + 1);
    }

    Report dueAt(long nanos) {
      return new Report(completion, lease, listener, nanos, inDoubt, refusals);
    }

    /** Doubles from one refusal to the next. */
    long pause() {
      return RETRY_NANOS << Math.min(Math.max(refusals - 1, 0), MOST_DOUBLINGS);
    }

    String name() {
      return "The report of Work " + completion.claim().workId();
    }
  }
}
