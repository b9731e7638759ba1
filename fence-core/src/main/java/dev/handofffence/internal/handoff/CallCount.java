package dev.handofffence.internal.handoff;

/** Counts the calls of one fence in one transaction. Calls of a fence never overlap. */
final class CallCount {

  /** Two savepoints a call: 64 subtransactions are what PostgreSQL caches of a transaction. */
  static final int MOST_IN_A_TRANSACTION = 30;

  private long transactionId;
  private int calls;

  /** Counts one call, and says whether it was one too many. */
  boolean exceeds(long transaction) {
    if (transactionId != transaction) {
      transactionId = transaction;
      calls = 0;
    }
    return ++calls > MOST_IN_A_TRANSACTION;
  }
}
