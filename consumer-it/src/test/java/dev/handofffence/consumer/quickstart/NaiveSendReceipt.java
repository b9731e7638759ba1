package dev.handofffence.consumer.quickstart;

import dev.handofffence.CancellationToken;
import dev.handofffence.consumer.Receipt;
import dev.handofffence.consumer.ReceiptProvider;
import dev.handofffence.consumer.ReceiptSent;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkExecutor;
import dev.handofffence.work.WorkExit;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** What many workers do: check, go on working, send. The check was right when it was made. */
record NaiveSendReceipt(DataSource database, ReceiptProvider provider, Stall stall)
    implements WorkExecutor<Receipt, ReceiptSent> {

  @Override
  public WorkExit<ReceiptSent> execute(WorkEnvelope<Receipt> work, CancellationToken cancellation)
      throws Exception {
    if (!isAuthorized(work)) {
      return WorkExit.retryBeforeEffect("not_authorized");
    }
    stall.happen(work);
    return WorkExit.succeeded(
        new ReceiptSent(provider.send(work.activityId(), work.payload(), cancellation)));
  }

  private boolean isAuthorized(WorkEnvelope<Receipt> work) {
    return DSL.using(database, SQLDialect.POSTGRES)
        .transactionResult(
            transaction -> {
              transaction
                  .dsl()
                  .fetch("SELECT set_config('durable.scope_id', ?, true)", work.scope().value());
              return transaction
                  .dsl()
                  .fetchExists(
                      DSL.table("consumer.authority"),
                      DSL.condition(
                          "operation_key = ? AND is_authorized", work.payload().authorityKey()));
            });
  }
}
