package dev.handofffence.internal.pump;

import dev.handofffence.internal.claim.Claim;
import dev.handofffence.work.LeasePolicy;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process believes of one lease. The database decides; the local clock, started before
 * the database granted the lease, only says when to ask again and when to stop hoping. Thread-safe.
 */
final class HeldLease {

  private static final Logger LOG = LoggerFactory.getLogger(HeldLease.class);

  /** A third: two renewals may be missed. */
  private static final int RENEWALS_PER_LEASE = 3;

  private final Claim claim;
  private final Duration cadence;
  private final Runnable onLoss;
  private long expiresAt;
  private long renewAt;

  /**
   * Begins with what the claim was granted.
   *
   * @param askedAt {@link System#nanoTime()} before the database was asked
   * @param onLoss runs once or more, on any thread, when the lease is lost or the Work is to be
   *     canceled
   */
  HeldLease(Claim claim, LeasePolicy policy, long askedAt, Duration remaining, Runnable onLoss) {
    this.claim = claim;
    this.cadence = policy.duration().dividedBy(RENEWALS_PER_LEASE);
    this.onLoss = onLoss;
    extend(askedAt, remaining);
  }

  Claim claim() {
    return claim;
  }

  Duration cadence() {
    return cadence;
  }

  /** A lease that a deadline or its maximum lifetime cuts short is looked at again at its end. */
  synchronized void extend(long askedAt, Duration remaining) {
    expiresAt = askedAt + remaining.toNanos();
    renewAt = askedAt + Math.min(cadence.toNanos(), remaining.toNanos());
  }

  /** Tries again soon: the store did not answer, or could not renew it now. */
  synchronized void renewAfter(long now, Duration pause) {
    renewAt = now + pause.toNanos();
  }

  synchronized long untilRenewal(long now) {
    return renewAt - now;
  }

  synchronized long untilEnd(long now) {
    return expiresAt - now;
  }

  boolean isOver(long now) {
    return untilEnd(now) <= 0;
  }

  /** What an executor's reaction throws is its own affair; its message may carry anything. */
  void lose() {
    try {
      onLoss.run();
    } catch (RuntimeException e) {
      LOG.warn("Work {}: an action on its token threw {}", claim.workId(), Failures.describe(e));
    }
  }
}
