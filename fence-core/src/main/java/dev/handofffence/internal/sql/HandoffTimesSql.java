package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.internal.sql.SessionSettings.clock;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.select;

import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SelectConditionStep;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** Judges by the database's time, in a statement of its own after the locks. */
final class HandoffTimesSql {

  private static final Field<Boolean> LEASE_IS_LIVE =
      field(DISPATCH.LEASE_EXPIRES_AT.gt(clock())).as("lease_is_live");

  private static final Field<Boolean> DEADLINE_HAS_PASSED =
      field(WORK.DEADLINE_AT.le(clock())).as("deadline_has_passed");

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
    return select(List.of(LEASE_IS_LIVE, DEADLINE_HAS_PASSED, TRANSACTION_ID))
        .from(from)
        .where(HandoffGuards.DISPATCH_KEY)
        .and(HandoffGuards.WORK_KEY);
  }

  static HandoffFacts.@Nullable Times times(Rows rows) {
    if (rows.isEmpty()) {
      return null;
    }
    Row row = rows.get(0);
    return new HandoffFacts.Times(
        isTrue(row.get(LEASE_IS_LIVE)),
        isTrue(row.get(DEADLINE_HAS_PASSED)),
        row.get(TRANSACTION_ID));
  }

  /** A comparison with a time that is not there is neither true nor false. */
  private static boolean isTrue(@Nullable Boolean comparison) {
    return comparison != null && comparison;
  }
}
