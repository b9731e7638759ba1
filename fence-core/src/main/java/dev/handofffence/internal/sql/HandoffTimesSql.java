package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.internal.sql.SessionSettings.clock;
import static org.jooq.impl.DSL.select;

import java.time.Instant;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SelectConditionStep;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** The database's time next to what is judged by it, in a statement of its own after the locks. */
final class HandoffTimesSql {

  private static final Field<Instant> NOW = clock().as("now");

  /** Assigns the transaction its id, with which the outcome of its commit can be asked for. */
  private static final Field<Long> TRANSACTION_ID =
      TransactionIdSql.assigned().as("transaction_id");

  /** Where the Work, the claim's lease and the permit can be seen, locked or not. */
  static final Statement SAMPLE_AT_ENTRY =
      Statement.ofRows(
          sample(DISPATCH, WORK, PERMIT)
              .and(HandoffGuards.DISPATCH_IS_OURS)
              .and(HandoffGuards.PERMIT_KEY));

  static final Statement SAMPLE_AT_EXIT = Statement.ofRows(sample(DISPATCH, WORK));

  private HandoffTimesSql() {}

  private static SelectConditionStep<Record> sample(Table<?>... from) {
    return select(List.of(NOW, DISPATCH.LEASE_EXPIRES_AT, WORK.DEADLINE_AT, TRANSACTION_ID))
        .from(from)
        .where(HandoffGuards.DISPATCH_KEY)
        .and(HandoffGuards.WORK_KEY);
  }

  static HandoffFacts.@Nullable Times times(Rows rows) {
    List<HandoffFacts.Times> times =
        rows.map(
            r ->
                new HandoffFacts.Times(
                    r.get(NOW),
                    r.get(DISPATCH.LEASE_EXPIRES_AT),
                    r.get(WORK.DEADLINE_AT),
                    r.get(TRANSACTION_ID)));
    return times.isEmpty() ? null : times.get(0);
  }
}
