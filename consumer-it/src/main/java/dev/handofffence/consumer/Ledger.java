package dev.handofffence.consumer;

import static dev.handofffence.consumer.generated.Tables.LEDGER;

import dev.handofffence.work.WorkEnvelope;
import java.time.Instant;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** SQL on {@code consumer.ledger}. */
final class Ledger {

  private static final Field<Instant> NOW =
      DSL.function(DSL.name("clock_timestamp"), SQLDataType.INSTANT);

  private Ledger() {}

  /**
   * Records that this attempt of this activity may send the logical operation.
   *
   * <p>The first activity gets the row. A later attempt of the same activity takes it over: the
   * earlier one prepared and then crashed, and the provider knows the activity id. Any other
   * activity, or the same attempt once more, writes nothing.
   *
   * @return whether it wrote
   */
  static boolean prepare(DSLContext transaction, WorkEnvelope<Receipt> work) {
    return transaction
            .insertInto(LEDGER)
            .set(LEDGER.SCOPE_ID, work.scope().value())
            .set(LEDGER.LOGICAL_OPERATION, work.payload().logicalOperation())
            .set(LEDGER.ACTIVITY_ID, work.activityId().value())
            .set(LEDGER.ATTEMPT, work.attempt())
            .onConflict(LEDGER.SCOPE_ID, LEDGER.LOGICAL_OPERATION)
            .doUpdate()
            .set(LEDGER.ATTEMPT, DSL.excluded(LEDGER.ATTEMPT))
            .set(LEDGER.PREPARED_AT, NOW)
            .where(LEDGER.ACTIVITY_ID.eq(DSL.excluded(LEDGER.ACTIVITY_ID)))
            .and(LEDGER.ATTEMPT.lt(DSL.excluded(LEDGER.ATTEMPT)))
            .execute()
        == 1;
  }
}
