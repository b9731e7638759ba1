package dev.handofffence.internal.pump;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.internal.claim.ClaimedWork;

/** A claim that this pass answers for: its lease and the token of its executor. */
final class RunningAttempt {

  private final ClaimedWork work;
  private final CancellationSource cancellation;
  private final HeldLease lease;

  /**
   * Begins with what the claim was granted.
   *
   * @param askedAt {@link System#nanoTime()} before the database was asked
   * @param pass fires on shutdown and when the pass is cancelled
   */
  RunningAttempt(ClaimedWork work, long askedAt, CancellationToken pass) {
    this.work = work;
    this.cancellation = CancellationSource.linkedTo(pass);
    this.lease =
        new HeldLease(
            work.claim(), work.lease(), askedAt, work.leaseRemaining(), cancellation::cancel);
  }

  ClaimedWork work() {
    return work;
  }

  HeldLease lease() {
    return lease;
  }

  CancellationToken token() {
    return cancellation.token();
  }

  /** Lets go of the pass's token. */
  void close() {
    cancellation.close();
  }
}
