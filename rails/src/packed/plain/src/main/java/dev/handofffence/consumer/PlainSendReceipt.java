package dev.handofffence.consumer;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.handoff.HandoffResult;
import dev.handofffence.handoff.TransactionOutcomes;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkExecutor;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkInvocation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import javax.sql.DataSource;

/** What SendReceipt of consumer-it does, with nothing but JDBC. */
final class PlainSendReceipt implements WorkExecutor<Receipt, ReceiptSent> {

  private final HandoffFence fence;
  private final TransactionOutcomes transactions;
  private final DataSource database;
  private final ReceiptProvider provider;

  PlainSendReceipt(WorkInvocation invocation, DataSource database, ReceiptProvider provider) {
    this.fence = invocation.handoffFence();
    this.transactions = invocation.transactions();
    this.database = database;
    this.provider = provider;
  }

  @Override
  public WorkExit<ReceiptSent> execute(WorkEnvelope<Receipt> work, CancellationToken cancellation)
      throws Exception {
    String obstacle = handOff(work, cancellation);
    if (!obstacle.isEmpty()) {
      return WorkExit.retryBeforeEffect(obstacle);
    }
    return WorkExit.succeeded(
        new ReceiptSent(provider.send(work.activityId(), work.payload(), cancellation)));
  }

  /** Returns why not, or nothing when the handoff is known to be committed. */
  private String handOff(WorkEnvelope<Receipt> work, CancellationToken cancellation) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        return decide(connection, work, cancellation);
      } finally {
        connection.rollback();
      }
    } catch (CancellationException e) {
      return "handoff_cancelled";
    } catch (SQLException | RuntimeException e) {
      return "handoff_failed"; // nothing was sent, whatever failed
    }
  }

  private String decide(
      Connection connection, WorkEnvelope<Receipt> work, CancellationToken cancellation)
      throws SQLException {
    OperationResult<HandoffResult> decision =
        fence.execute(
            connection,
            (transaction, token) -> authorizeAndRecord(transaction, work),
            cancellation);
    if (!(decision instanceof OperationResult.Success<HandoffResult> success)) {
      return "handoff_refused";
    }
    if (!success.value().handoffPrepared()) {
      return "handoff_denied";
    }
    cancellation.throwIfCancelled();
    connection.commit();
    transactions.requireCommitted(success.value().transactionId());
    cancellation.throwIfCancelled();
    return "";
  }

  private static boolean authorizeAndRecord(Connection transaction, WorkEnvelope<Receipt> work)
      throws SQLException {
    return isAuthorized(transaction, work) && PlainLedger.prepare(transaction, work);
  }

  private static boolean isAuthorized(Connection transaction, WorkEnvelope<Receipt> work)
      throws SQLException {
    try (var select =
        transaction.prepareStatement(
            "SELECT is_authorized FROM consumer.authority"
                + " WHERE scope_id = ? AND operation_key = ? FOR UPDATE")) {
      select.setString(1, work.scope().value());
      select.setString(2, work.payload().authorityKey());
      try (var rows = select.executeQuery()) {
        return rows.next() && rows.getBoolean(1);
      }
    }
  }
}
