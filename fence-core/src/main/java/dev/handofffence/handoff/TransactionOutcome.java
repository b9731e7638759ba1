package dev.handofffence.handoff;

/** What became of a transaction (protocol section 5). */
public enum TransactionOutcome {
  /** It committed; its writes are durable. */
  COMMITTED,
  /** It rolled back, or its server crashed before it committed. */
  ABORTED,
  /** It is still running and may end either way. */
  IN_PROGRESS,
  /** It is too old for the server to remember, or ran on another timeline. */
  NO_LONGER_KNOWN
}
