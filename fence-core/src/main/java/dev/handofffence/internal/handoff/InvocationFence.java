package dev.handofffence.internal.handoff;

import static java.util.Objects.requireNonNull;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.handoff.ConnectionHandoffCallback;
import dev.handofffence.handoff.HandoffCallback;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.handoff.HandoffResult;
import dev.handofffence.internal.sql.StatementGuard;
import dev.handofffence.internal.thread.CancelCourier;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jooq.Configuration;

/** The fence of one invocation: lets one call at a time through, while the invocation lives. */
final class InvocationFence implements HandoffFence {

  private final Invocation invocation;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final CallCount callCount = new CallCount();

  InvocationFence(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public <X extends Exception> OperationResult<HandoffResult> execute(
      Configuration transaction,
      HandoffCallback<X> authorizeAndRecordHandoff,
      CancellationToken cancellation)
      throws X {
    requireNonNull(transaction, "transaction");
    requireNonNull(authorizeAndRecordHandoff, "authorizeAndRecordHandoff");
    requireNonNull(cancellation, "cancellation");
    return admit(
        () -> BorrowedConnection.of(transaction),
        () -> authorizeAndRecordHandoff.authorizeAndRecord(transaction, cancellation),
        cancellation);
  }

  @Override
  public <X extends Exception> OperationResult<HandoffResult> execute(
      Connection transaction,
      ConnectionHandoffCallback<X> authorizeAndRecordHandoff,
      CancellationToken cancellation)
      throws X {
    requireNonNull(transaction, "transaction");
    requireNonNull(authorizeAndRecordHandoff, "authorizeAndRecordHandoff");
    requireNonNull(cancellation, "cancellation");
    return admit(
        () -> BorrowedConnection.of(transaction),
        () -> authorizeAndRecordHandoff.authorizeAndRecord(transaction, cancellation),
        cancellation);
  }

  private <X extends Exception> OperationResult<HandoffResult> admit(
      Supplier<BorrowedConnection> transaction,
      HandoffCall.Callback<X> callback,
      CancellationToken token)
      throws X {
    if (!busy.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "Another call of this fence has not returned yet; calls may follow each other only");
    }
    try {
      if (!invocation.isLive()) {
        return OperationResult.failure(Problem.NO_LIVE_INVOCATION);
      }
      token.throwIfCancelled();
      return call(transaction, callback, token);
    } finally {
      busy.set(false);
    }
  }

  private <X extends Exception> OperationResult<HandoffResult> call(
      Supplier<BorrowedConnection> borrowed,
      HandoffCall.Callback<X> callback,
      CancellationToken token)
      throws X {
    try (BorrowedConnection transaction = borrowed.get()) {
      check(transaction);
      HandoffContext context =
          new HandoffContext(
              invocation,
              transaction,
              token,
              new StatementGuard(CancelCourier.INSTANCE),
              new Settlement(transaction.connection()),
              callCount,
              UUID.randomUUID().toString());
      return new HandoffCall<>(context, callback).run();
    }
  }

  private void check(BorrowedConnection transaction) {
    try {
      TransactionCheck.check(transaction, invocation.settings());
    } catch (SQLException e) {
      throw FenceErrors.statementFailed(e);
    }
  }
}
