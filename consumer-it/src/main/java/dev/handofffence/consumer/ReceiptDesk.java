package dev.handofffence.consumer;

import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.OperationResult;
import dev.handofffence.ScopeId;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.WorkAcceptance;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Where receipts are asked for, and where somebody changes their mind. */
public final class ReceiptDesk {

  private final DataSource database;
  private final WorkAcceptance work;

  public ReceiptDesk(DataSource database, WorkAcceptance work) {
    this.database = database;
    this.work = work;
  }

  /**
   * Accepts the Work and the permission to do it in one transaction.
   *
   * @return the ids, committed; or the library's refusal, with nothing written
   */
  public OperationResult<AcceptedWork> request(ScopeId scope, CommandId command, Receipt receipt)
      throws SQLException {
    try (ApplicationTransaction transaction = ApplicationTransaction.begin(database, scope)) {
      // The library's rows before the application's, as in the callback: one order, no deadlock.
      OperationResult<AcceptedWork> accepted =
          work.accept(
              transaction.dsl().configuration(),
              ReceiptWork.SEND.request(
                  scope, command, IdempotencyKey.of(command.value()), receipt));
      if (accepted.isSuccess()) {
        Authorities.grantInitially(transaction.dsl(), scope, receipt.authorityKey());
        transaction.commit();
      }
      return accepted;
    }
  }

  /** Takes a permission away; committed on return. Waits for a handoff that is deciding on it. */
  public void revoke(ScopeId scope, String authorityKey) throws SQLException {
    try (ApplicationTransaction transaction = ApplicationTransaction.begin(database, scope)) {
      Authorities.revoke(transaction.dsl(), scope, authorityKey);
      transaction.commit();
    }
  }
}
