package dev.handofffence.internal.handoff;

import dev.handofffence.CancellationToken;
import dev.handofffence.internal.sql.HandoffFacts;
import dev.handofffence.internal.sql.StatementGuard;
import java.sql.Connection;

/**
 * What the steps of one call work with.
 *
 * @param mark marks the callback's part of the transaction; random, so that a callback that puts
 *     the fence's savepoints in place again cannot know it by heart
 */
record HandoffContext(
    Invocation invocation,
    BorrowedConnection transaction,
    CancellationToken token,
    StatementGuard guard,
    Settlement settlement,
    CallCount callCount,
    String mark) {

  /** Reports what is unsafe about the caller's session, once. */
  void warn(HandoffFacts facts) {
    FenceWarnings warnings = invocation.settings().warnings();
    if (!facts.session().commitsDurably()) {
      warnings.report(FenceWarnings.Warning.ASYNCHRONOUS_COMMIT);
    }
    if (callCount.exceeds(facts.transactionId())) {
      warnings.report(FenceWarnings.Warning.MANY_CALLS);
    }
  }

  Connection connection() {
    return transaction.connection();
  }
}
