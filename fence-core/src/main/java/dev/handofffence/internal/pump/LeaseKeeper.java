package dev.handofffence.internal.pump;

import dev.handofffence.Problem;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.log.OutageLog;
import dev.handofffence.internal.sql.LeaseSql;
import dev.handofffence.internal.store.UnusableStoreException;
import dev.handofffence.internal.thread.Threads;
import dev.handofffence.internal.transaction.StoreConnection;
import dev.handofffence.internal.work.Leases;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews all held leases from one thread, in batches, on a connection of its own. A lease that is
 * lost, or whose Work is to be canceled, is signalled on another thread, so that no executor's
 * reaction can hold up the renewals of the others. The end of a lease is watched by a second
 * thread: a trip that hangs must not keep it from being signalled.
 */
final class LeaseKeeper implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
  private static final Duration RETRY_PAUSE = Duration.ofMillis(200);
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final OutageLog outage = new OutageLog(LOG, "Renewing leases");
  private final Leases leases;
  private final StoreConnection connection;
  private final Executor signals;
  private final Set<HeldLease> held = new LinkedHashSet<>();
  private final Thread renewing;
  private final Thread watching;

  /** When the threads look by themselves; nobody is woken for what is later. */
  private long renewingLooksAt = System.nanoTime();

  private long watchingLooksAt = renewingLooksAt;
  private boolean closed;

  LeaseKeeper(Leases leases, StoreConnection connection, Executor signals) {
    this.leases = leases;
    this.connection = connection;
    this.signals = signals;
    this.renewing = Threads.start("leases", this::run);
    this.watching = Threads.start("lease-ends", this::watch);
  }

  synchronized void hold(HeldLease lease) {
    held.add(lease);
    if (lease.untilRenewal(renewingLooksAt) < 0 || lease.untilEnd(watchingLooksAt) < 0) {
      notifyAll();
    }
  }

  synchronized void release(HeldLease lease) {
    held.remove(lease);
  }

  /** Stops renewing and gives the connection back. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    Threads.join(watching);
    Threads.join(renewing);
  }

  private void run() {
    try {
      List<HeldLease> due = awaitDue();
      while (!due.isEmpty()) {
        renew(due);
        due = awaitDue();
      }
    } finally {
      connection.close();
    }
  }

  /** Returns what is to be renewed now, and what will be soon; empty when closed. */
  private synchronized List<HeldLease> awaitDue() {
    List<HeldLease> due = dueNow();
    while (due.isEmpty() && !closed) {
      long pause = untilNextRenewal();
      renewingLooksAt = System.nanoTime() + pause;
      Threads.await(this, pause);
      due = dueNow();
    }
    return closed ? List.of() : due;
  }

  private List<HeldLease> dueNow() {
    long now = System.nanoTime();
    boolean any = held.stream().anyMatch(l -> l.untilRenewal(now) <= 0);
    return any ? held.stream().filter(l -> isDueSoon(l, now)).toList() : List.of();
  }

  /** One trip for many: a lease joins in when it would be due within a quarter of its cadence. */
  private static boolean isDueSoon(HeldLease lease, long now) {
    return lease.untilRenewal(now) <= lease.cadence().toNanos() / 4;
  }

  private long untilNextRenewal() {
    long now = System.nanoTime();
    return held.stream().mapToLong(l -> l.untilRenewal(now)).min().orElse(IDLE_NANOS);
  }

  private void renew(List<HeldLease> due) {
    long askedAt = System.nanoTime();
    try {
      Map<Claim, LeaseSql.Lease> live =
          leases.renew(connection, due.stream().map(HeldLease::claim).toList());
      outage.succeeded();
      due.forEach(lease -> judge(lease, live.get(lease.claim()), askedAt));
    } catch (UnusableStoreException e) {
      LOG.warn("{} leases are lost: {}", due.size(), e.describe());
      due.forEach(this::lose);
    } catch (SQLException | RuntimeException e) { // whatever it is, this thread must go on
      outage.failed(Failures.describe(e));
      due.forEach(lease -> lease.renewAfter(System.nanoTime(), RETRY_PAUSE));
    }
  }

  private void judge(HeldLease lease, LeaseSql.@Nullable Lease live, long askedAt) {
    if (live == null) {
      LOG.warn(
          "Work {}: its lease is lost, {}", lease.claim().workId(), Problem.LEASE_EXPIRED.code());
      lose(lease);
      return;
    }
    lease.extend(askedAt, live.remaining());
    if (!live.renewed()) {
      lease.renewAfter(System.nanoTime(), RETRY_PAUSE); // somebody had the row or its scope
    }
    if (live.cancelRequested()) {
      signals.execute(lease::lose);
    }
  }

  private void watch() {
    List<HeldLease> over = awaitOver();
    while (!over.isEmpty()) {
      over.forEach(this::lose);
      over = awaitOver();
    }
  }

  /** Returns the leases that ended by the local clock; empty when closed. */
  private synchronized List<HeldLease> awaitOver() {
    List<HeldLease> over = over();
    while (over.isEmpty() && !closed) {
      long pause = untilNextEnd();
      watchingLooksAt = System.nanoTime() + pause;
      Threads.await(this, pause);
      over = over();
    }
    return closed ? List.of() : over;
  }

  private List<HeldLease> over() {
    long now = System.nanoTime();
    return held.stream().filter(l -> l.isOver(now)).toList();
  }

  private long untilNextEnd() {
    long now = System.nanoTime();
    return held.stream().mapToLong(l -> l.untilEnd(now)).min().orElse(IDLE_NANOS);
  }

  private void lose(HeldLease lease) {
    release(lease);
    signals.execute(lease::lose);
  }
}
