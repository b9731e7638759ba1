package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.internal.sql.SessionSettings.clock;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;

import java.time.Instant;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Select;
import org.jspecify.annotations.Nullable;

/** The database's time next to what is judged by it, in a statement of its own after the locks. */
final class HandoffTimesSql {

  private static final Field<Instant> NOW = clock().as("now");

  /** Assigns the transaction its id, with which the outcome of its commit can be asked for. */
  private static final Field<Long> TRANSACTION_ID =
      TransactionIdSql.assigned().as("transaction_id");

  static final Statement SAMPLE_AT_ENTRY = Statement.ofRows(sample(HandoffGuards.PERMIT_HOLDS));

  static final Statement SAMPLE_AT_EXIT = Statement.ofRows(sample(noCondition()));

  private HandoffTimesSql() {}

  private static Select<Record> sample(Condition guard) {
    return select(List.of(NOW, DISPATCH.LEASE_EXPIRES_AT, WORK.DEADLINE_AT, TRANSACTION_ID))
        .from(DISPATCH, WORK)
        .where(HandoffGuards.DISPATCH_KEY)
        .and(HandoffGuards.WORK_KEY)
        .and(guard);
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
