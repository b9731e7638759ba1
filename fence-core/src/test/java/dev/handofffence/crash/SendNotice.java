package dev.handofffence.crash;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.fixture.NoticeTables;
import dev.handofffence.handoff.HandoffResult;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkExecutor;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkInvocation;
import java.sql.Connection;
import java.time.Duration;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * An executor that does what section 10 asks of applications, and passes every point where a worker
 * can stop.
 */
final class SendNotice implements WorkExecutor<String, String> {

  private final WorkInvocation invocation;
  private final ProviderSafety safety;
  private final DataSource database;
  private final Stops stops;

  SendNotice(WorkInvocation invocation, ProviderSafety safety, DataSource database, Stops stops) {
    this.invocation = invocation;
    this.safety = safety;
    this.database = database;
    this.stops = stops;
  }

  /** Every JVM that takes part knows these contracts by the same name. */
  static WorkDefinition<String, String> definition(ProviderSafety safety) {
    return WorkDefinition.named("notices." + safety.name().toLowerCase(Locale.ROOT), "v1")
        .payload(PayloadCodecs.text())
        .result(PayloadCodecs.text())
        .providerSafety(safety)
        .retry(RetryPolicy.attempts(5).withDelays(Duration.ofMillis(1), Duration.ofMillis(1)))
        .build();
  }

  @Override
  public WorkExit<String> execute(WorkEnvelope<String> work, CancellationToken cancellation)
      throws Exception {
    stops.reach(Stop.PERMITTED);
    try (Connection transaction = database.getConnection()) {
      transaction.setAutoCommit(false);
      OperationResult<HandoffResult> decision = decide(transaction, work);
      if (decision instanceof OperationResult.Failure<HandoffResult> refused) {
        transaction.rollback();
        stops.refused(safety, refused.problem());
        return WorkExit.retryBeforeEffect(refused.problem().code());
      }
      HandoffResult handoff = decision.orElseThrow();
      if (!handoff.handoffPrepared()) {
        transaction.rollback();
        return WorkExit.ambiguous("prepared_earlier");
      }
      stops.reach(Stop.DECIDED);
      transaction.commit();
      invocation.transactions().requireCommitted(handoff.transactionId());
    }
    stops.reach(Stop.HANDED_OFF);
    NoticeTables.send(database, work.workId(), work.activityId(), work.attempt());
    stops.reach(Stop.SENT);
    return WorkExit.succeeded("sent");
  }

  /** Without the attempt's token, which fires at a time of its own: the database decides here. */
  private OperationResult<HandoffResult> decide(Connection transaction, WorkEnvelope<String> work)
      throws Exception {
    return invocation
        .handoffFence()
        .execute(
            transaction,
            (connection, token) -> NoticeTables.prepare(connection, work, safety),
            CancellationToken.none());
  }
}
