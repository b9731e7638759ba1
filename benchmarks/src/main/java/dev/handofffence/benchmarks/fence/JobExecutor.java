package dev.handofffence.benchmarks.fence;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.benchmarks.contender.JobBody;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.handoff.HandoffResult;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkExecutor;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkInvocation;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Hands off, or not, and then notes that it ran.
 *
 * <p>It does not ask for the outcome of its transaction: between the fence and the commit there is
 * no statement whose error it could have swallowed.
 */
final class JobExecutor implements WorkExecutor<String, String> {

  private static final String RESULT = "done";

  private final HandoffFence fence;
  private final Execution execution;
  private final DataSource application;
  private final JobBody body;

  JobExecutor(
      WorkInvocation invocation, Execution execution, DataSource application, JobBody body) {
    this.fence = invocation.handoffFence();
    this.execution = execution;
    this.application = application;
    this.body = body;
  }

  @Override
  public WorkExit<String> execute(WorkEnvelope<String> work, CancellationToken cancellation)
      throws SQLException {
    boolean authorized =
        switch (execution) {
          case PLAIN -> true;
          case TRANSACTION -> decide(work);
          case HANDOFF -> handOff(work, cancellation);
        };
    if (!authorized) {
      return WorkExit.retryBeforeEffect("refused");
    }
    body.run(work.payload());
    return WorkExit.succeeded(RESULT);
  }

  private boolean decide(WorkEnvelope<String> work) throws SQLException {
    try (Connection transaction = begin()) {
      boolean authorized = ApplicationTables.authorizeAndRecord(transaction, work);
      transaction.commit();
      return authorized;
    }
  }

  private boolean handOff(WorkEnvelope<String> work, CancellationToken cancellation)
      throws SQLException {
    try (Connection transaction = begin()) {
      OperationResult<HandoffResult> decision =
          fence.execute(
              transaction,
              (same, token) -> ApplicationTables.authorizeAndRecord(same, work),
              cancellation);
      transaction.commit();
      return decision.isSuccess() && decision.orElseThrow().handoffPrepared();
    }
  }

  private Connection begin() throws SQLException {
    Connection connection = application.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }
}
