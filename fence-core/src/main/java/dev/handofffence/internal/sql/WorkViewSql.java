package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;

import dev.handofffence.ActivityId;
import dev.handofffence.WorkId;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.SuspendReason;
import dev.handofffence.work.WorkState;
import dev.handofffence.work.WorkView;
import java.util.List;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** One Work as operators see it: its narrow row, its snapshot without the payload, its dispatch. */
final class WorkViewSql {

  private static final Field<Integer> MOST_ATTEMPTS = Policies.mostAttempts().as("most_attempts");

  static final List<Field<?>> COLUMNS =
      List.of(
          WORK.WORK_ID,
          WORK_SNAPSHOT.ACTIVITY_ID,
          WORK_SNAPSHOT.CONTRACT_NAME,
          WORK_SNAPSHOT.CONTRACT_VERSION,
          WORK_SNAPSHOT.PROVIDER_SAFETY,
          WORK.STATE,
          WORK.SUSPEND_REASON,
          WORK.REVISION,
          WORK.ATTEMPT,
          MOST_ATTEMPTS,
          WORK_SNAPSHOT.ACCEPTED_AT,
          DISPATCH.DUE_AT,
          DISPATCH.LEASE_EXPIRES_AT,
          WORK.DEADLINE_AT,
          WORK.CANCEL_REQUESTED_AT,
          WORK.EPOCH);

  private WorkViewSql() {}

  /** Joins what belongs to the Works of a table that has the columns of work. */
  static Table<?> joined(Table<?> works) {
    return works
        .join(WORK_SNAPSHOT)
        .on(Policies.snapshotIsTheWorks())
        .leftJoin(DISPATCH)
        .on(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM).and(DISPATCH.WORK_ID.eq(WORK.WORK_ID)));
  }

  static WorkView view(Row row) {
    return new WorkView(
        new WorkId(row.get(WORK.WORK_ID)),
        new ActivityId(row.get(WORK_SNAPSHOT.ACTIVITY_ID)),
        row.get(WORK_SNAPSHOT.CONTRACT_NAME),
        row.get(WORK_SNAPSHOT.CONTRACT_VERSION),
        ProviderSafety.valueOf(row.get(WORK_SNAPSHOT.PROVIDER_SAFETY).name()),
        state(row.get(WORK.STATE)),
        reason(row.get(WORK.SUSPEND_REASON)),
        row.get(WORK.REVISION),
        row.get(WORK.ATTEMPT),
        row.get(MOST_ATTEMPTS),
        row.get(WORK_SNAPSHOT.ACCEPTED_AT),
        Optional.ofNullable(row.get(DISPATCH.DUE_AT)),
        Optional.ofNullable(row.get(DISPATCH.LEASE_EXPIRES_AT)),
        Optional.ofNullable(row.get(WORK.DEADLINE_AT)),
        Optional.ofNullable(row.get(WORK.CANCEL_REQUESTED_AT)),
        row.get(WORK.EPOCH));
  }

  /** The public enums have the constants of the generated ones. */
  static WorkState state(dev.handofffence.generated.type.WorkState state) {
    return WorkState.valueOf(state.name());
  }

  static Optional<SuspendReason> reason(
      dev.handofffence.generated.type.@Nullable SuspendReason reason) {
    return Optional.ofNullable(reason).map(known -> SuspendReason.valueOf(known.name()));
  }
}
