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
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/**
 * Sends one receipt: decide under the fence, commit, make sure of the commit, send.
 *
 * <p>Until the provider is called every way out is {@code retryBeforeEffect}, whatever failed:
 * nothing was sent, even where the commit's outcome is unknown, and the next attempt takes the
 * ledger row over. What the provider throws makes the attempt ambiguous, which for provider-keyed
 * Work means another attempt with the same key.
 */
public final class SendReceipt implements WorkExecutor<Receipt, ReceiptSent> {

  private static final System.Logger LOG = System.getLogger(SendReceipt.class.getName());

  private final HandoffFence fence;
  private final TransactionOutcomes transactions;
  private final DataSource database;
  private final ReceiptProvider provider;

  public SendReceipt(WorkInvocation invocation, DataSource database, ReceiptProvider provider) {
    this.fence = invocation.handoffFence();
    this.transactions = invocation.transactions();
    this.database = database;
    this.provider = provider;
  }

  @Override
  public WorkExit<ReceiptSent> execute(WorkEnvelope<Receipt> work, CancellationToken cancellation)
      throws Exception {
    Handoff handoff = handOffOrRetry(work, cancellation);
    if (handoff != Handoff.COMMITTED) {
      return WorkExit.retryBeforeEffect(handoff.code());
    }
    // No transaction and no connection is held any more.
    String reference = provider.send(work.activityId(), work.payload(), cancellation);
    return WorkExit.succeeded(new ReceiptSent(reference));
  }

  private Handoff handOffOrRetry(WorkEnvelope<Receipt> work, CancellationToken cancellation) {
    try {
      return handOff(work, cancellation);
    } catch (CancellationException e) {
      return Handoff.CANCELLED;
    } catch (SQLException | RuntimeException e) {
      // The library sees none of this: log it here.
      LOG.log(Level.WARNING, "A handoff failed before the send", e);
      return LockConflict.caused(e) ? Handoff.BUSY : Handoff.FAILED;
    }
  }

  private Handoff handOff(WorkEnvelope<Receipt> work, CancellationToken cancellation)
      throws SQLException {
    try (ApplicationTransaction transaction = ApplicationTransaction.begin(database)) {
      OperationResult<HandoffResult> decision =
          fence.execute(
              transaction.dsl().configuration(),
              (configuration, token) -> authorizeAndRecord(configuration.dsl(), work),
              cancellation);
      if (!(decision instanceof OperationResult.Success<HandoffResult> success)) {
        return Handoff.REFUSED;
      }
      if (!success.value().handoffPrepared()) {
        return Handoff.DENIED;
      }
      cancellation.throwIfCancelled();
      transaction.commit();
      // commit() returns normally even where PostgreSQL has rolled back after a swallowed error.
      transactions.requireCommitted(success.value().transactionId());
      cancellation.throwIfCancelled();
      return Handoff.COMMITTED;
    }
  }

  /**
   * Permission first, ledger second: the same order everywhere, and both after the fence's locks.
   */
  private static boolean authorizeAndRecord(DSLContext transaction, WorkEnvelope<Receipt> work) {
    return Authorities.lockAndCheck(transaction, work.scope(), work.payload().authorityKey())
        && Ledger.prepare(transaction, work);
  }
}
