package dev.handofffence.internal.pump;

import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.store.UnusableStoreException;
import dev.handofffence.internal.thread.Threads;
import dev.handofffence.internal.transaction.StoreConnection;
import dev.handofffence.internal.work.Completions;
import dev.handofffence.internal.work.Ending;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int BATCH = 200;

  private final Completions completions;
  private final StoreConnection connection;
  private final List<Report> waiting = new ArrayList<>();
  private final Thread thread;
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

    /** Its lease is over and it could not be recorded; recovery will find the Work. */
    void lost();
  }

  /** Takes a report over; returns at once. */
  synchronized void add(Completion completion, boolean urgent, HeldLease lease, Listener listener) {
    long due = System.nanoTime() + (urgent ? 0 : FLUSH_NANOS);
    waiting.add(new Report(completion, lease, listener, due));
    notifyAll();
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
        settle(batch, record(batch));
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
      Threads.await(this, until);
      until = untilDue();
    }
    long horizon = System.nanoTime() + FLUSH_NANOS;
    List<Report> batch = waiting.stream().filter(r -> r.due - horizon <= 0).toList();
    waiting.removeAll(batch);
    return batch;
  }

  private long untilDue() {
    if (waiting.size() >= BATCH) {
      return 0;
    }
    long now = System.nanoTime();
    return waiting.stream().mapToLong(r -> r.due - now).min().orElse(IDLE_NANOS);
  }

  private Map<Completion, Ending> record(List<Report> batch) {
    try {
      return completions.record(connection, batch.stream().map(Report::completion).toList());
    } catch (SQLException e) {
      LOG.warn("Recording {} reports failed with SQLSTATE {}", batch.size(), e.getSQLState());
    } catch (UnusableStoreException e) {
      LOG.warn("Recording {} reports was refused: {}", batch.size(), e.problem().code());
    }
    return Map.of();
  }

  private void settle(List<Report> batch, Map<Completion, Ending> endings) {
    long now = System.nanoTime();
    for (Report report : batch) {
      Ending ending = endings.get(report.completion);
      if (ending != null) {
        report.listener.recorded(ending);
      } else if (report.lease.isOver(now)) {
        report.listener.lost();
      } else {
        addAgain(report, now + RETRY_NANOS);
      }
    }
  }

  private synchronized void addAgain(Report report, long due) {
    waiting.add(new Report(report.completion, report.lease, report.listener, due));
  }

  private record Report(Completion completion, HeldLease lease, Listener listener, long due) {}
}
