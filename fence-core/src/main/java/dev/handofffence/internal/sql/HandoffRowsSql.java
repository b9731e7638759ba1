package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.STORE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.internal.sql.Columns.column;
import static dev.handofffence.internal.sql.Columns.step;
import static dev.handofffence.internal.sql.Existence.exists;
import static dev.handofffence.internal.sql.SessionSettings.lockShared;
import static dev.handofffence.internal.sql.SessionSettings.setLocally;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.with;

import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.generated.type.WorkState;
import java.time.Instant;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/**
 * Locking and reading the rows that a handoff rests on: by key, each only if all before it hold,
 * each with the weakest lock that keeps its facts true until the caller commits (protocol section
 * 2).
 */
final class HandoffRowsSql {

  private static final String SCOPE_ROW = "scope_row";
  private static final String WORK_ROW = "work_row";
  private static final String DISPATCH_ROW = "dispatch_row";
  private static final String PERMIT_ROW = "permit_row";

  private static final Field<Long> GENERATION = column(SCOPE_ROW, SCOPE.GENERATION);
  private static final Field<ScopeState> SCOPE_STATE = column(SCOPE_ROW, SCOPE.STATE);

  private static final Field<WorkState> WORK_STATE = column(WORK_ROW, WORK.STATE);
  private static final Field<Integer> WORK_ATTEMPT = column(WORK_ROW, WORK.ATTEMPT);
  private static final Field<Long> WORK_LEASE = column(WORK_ROW, WORK.LEASE_GENERATION);
  private static final Field<UUID> WORK_OWNER = column(WORK_ROW, WORK.LEASE_OWNER);
  private static final Field<Long> WORK_SCOPE = column(WORK_ROW, WORK.SCOPE_GENERATION);
  private static final Field<UUID> WORK_EPOCH = column(WORK_ROW, WORK.EPOCH);
  private static final Field<Instant> CANCELED_AT = column(WORK_ROW, WORK.CANCEL_REQUESTED_AT);

  private static final Field<Long> LEASE = column(DISPATCH_ROW, DISPATCH.LEASE_GENERATION);
  private static final Field<UUID> OWNER = column(DISPATCH_ROW, DISPATCH.LEASE_OWNER);

  private static final Field<PermitState> PERMIT_STATE = column(PERMIT_ROW, PERMIT.STATE);
  private static final Field<Integer> PERMIT_ATTEMPT = column(PERMIT_ROW, PERMIT.ATTEMPT);
  private static final Field<UUID> PERMIT_OWNER = column(PERMIT_ROW, PERMIT.LEASE_OWNER);
  private static final Field<Long> PERMIT_SCOPE = column(PERMIT_ROW, PERMIT.SCOPE_GENERATION);
  private static final Field<UUID> PERMIT_EPOCH = column(PERMIT_ROW, PERMIT.EPOCH);

  /** Shows the scope's rows, and makes a change of the scope wait for this transaction. */
  static final Statement BIND_AND_LOCK_SCOPE =
      Statement.of(
          select(
                  setLocally(HandoffSessionSql.SCOPE_SETTING, ScopeSql.SCOPE_ID_PARAM),
                  lockShared(ScopeSql.SCOPE_LOCK_KEY))
              .from(STORE)
              .where(HandoffGuards.STORE_HOLDS));

  /**
   * All rows in one statement, which is planned, started and answered once. A step that locks gives
   * the row as it is when the lock is there, also after a wait, and the step behind it asks for its
   * own lock only where those values hold. The scope's row is read after its lock, which an earlier
   * statement took.
   */
  static final Statement LOCK =
      Statement.ofRows(
          with(readScope(), lockWork(), lockDispatch(), lockPermit())
              .select(GENERATION, SCOPE_STATE)
              .select(WORK_STATE, WORK_ATTEMPT, WORK_LEASE, WORK_OWNER, WORK_SCOPE, WORK_EPOCH)
              .select(CANCELED_AT, LEASE, OWNER)
              .select(PERMIT_STATE, PERMIT_ATTEMPT, PERMIT_OWNER, PERMIT_SCOPE, PERMIT_EPOCH)
              .from(
                  step(SCOPE_ROW)
                      .leftJoin(step(WORK_ROW))
                      .on(trueCondition())
                      .leftJoin(step(DISPATCH_ROW))
                      .on(trueCondition())
                      .leftJoin(step(PERMIT_ROW))
                      .on(trueCondition())));

  private HandoffRowsSql() {}

  private static CommonTableExpression<?> readScope() {
    return name(SCOPE_ROW)
        .as(
            select(SCOPE.GENERATION, SCOPE.STATE)
                .from(SCOPE, STORE)
                .where(SCOPE.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(HandoffGuards.STORE_HOLDS));
  }

  /** Not FOR UPDATE, so that foreign-key checks of the application do not wait for a handoff. */
  private static CommonTableExpression<?> lockWork() {
    return name(WORK_ROW)
        .as(
            select(
                    WORK.STATE,
                    WORK.ATTEMPT,
                    WORK.LEASE_GENERATION,
                    WORK.LEASE_OWNER,
                    WORK.SCOPE_GENERATION,
                    WORK.EPOCH,
                    WORK.CANCEL_REQUESTED_AT)
                .from(WORK)
                .where(HandoffGuards.WORK_KEY)
                .and(inStep(SCOPE_ROW, HandoffGuards.scopeHolds(SCOPE_ROW)))
                .forNoKeyUpdate());
  }

  /** FOR KEY SHARE, so that the pump goes on renewing the lease while the handoff is open. */
  private static CommonTableExpression<?> lockDispatch() {
    return name(DISPATCH_ROW)
        .as(
            select(DISPATCH.LEASE_GENERATION, DISPATCH.LEASE_OWNER)
                .from(DISPATCH)
                .where(HandoffGuards.DISPATCH_KEY)
                .and(inStep(WORK_ROW, HandoffGuards.workHolds(WORK_ROW)))
                .forKeyShare());
  }

  private static CommonTableExpression<?> lockPermit() {
    return name(PERMIT_ROW)
        .as(
            select(
                    PERMIT.STATE,
                    PERMIT.ATTEMPT,
                    PERMIT.LEASE_OWNER,
                    PERMIT.SCOPE_GENERATION,
                    PERMIT.EPOCH)
                .from(PERMIT)
                .where(HandoffGuards.PERMIT_KEY)
                .and(inStep(DISPATCH_ROW, HandoffGuards.dispatchHolds(DISPATCH_ROW)))
                .forNoKeyUpdate());
  }

  /** Whether the step before has a row, and one that holds. */
  private static Condition inStep(String step, Condition holds) {
    return exists(selectOne().from(step(step)).where(holds));
  }

  static HandoffFacts.@Nullable Scope scope(@Nullable Row row) {
    Long generation = value(row, GENERATION);
    return row == null || generation == null
        ? null
        : new HandoffFacts.Scope(generation, row.get(SCOPE_STATE));
  }

  static HandoffFacts.@Nullable Work work(@Nullable Row row) {
    WorkState state = value(row, WORK_STATE);
    return row == null || state == null
        ? null
        : new HandoffFacts.Work(
            state,
            row.get(WORK_ATTEMPT),
            row.get(WORK_LEASE),
            row.get(WORK_OWNER),
            row.get(WORK_SCOPE),
            row.get(WORK_EPOCH),
            row.get(CANCELED_AT) != null);
  }

  static HandoffFacts.@Nullable Dispatch dispatch(@Nullable Row row) {
    Long generation = value(row, LEASE);
    return row == null || generation == null
        ? null
        : new HandoffFacts.Dispatch(generation, row.get(OWNER));
  }

  static HandoffFacts.@Nullable Permit permit(@Nullable Row row) {
    PermitState state = value(row, PERMIT_STATE);
    return row == null || state == null
        ? null
        : new HandoffFacts.Permit(
            state,
            row.get(PERMIT_ATTEMPT),
            row.get(PERMIT_OWNER),
            row.get(PERMIT_SCOPE),
            row.get(PERMIT_EPOCH));
  }

  /** Null where the step has no row: the column itself is never null. */
  private static <T> @Nullable T value(@Nullable Row row, Field<T> column) {
    return row == null ? null : row.get(column);
  }
}
