package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.DSL.with;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.generated.tables.Permit;
import dev.handofffence.generated.type.PermitState;
import dev.handofffence.internal.state.WorkFacts;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Locks one Work with all that belongs to it, and reads what its transitions are judged by. */
public final class FactsSql {

  static final String WORK_ID = "work_id";
  static final Param<UUID> WORK_ID_PARAM = param(WORK_ID, SQLDataType.UUID);

  private static final String LOCK_TIMEOUT = "lock_timeout";

  private static final Permit OTHER = PERMIT.as("other");
  private static final Field<Instant> NEXT_DUE = Policies.retryDueAfter(Times.AT);

  private static final Field<Boolean> CANCEL_REQUESTED =
      yes("cancel_requested", WORK.CANCEL_REQUESTED_AT.isNotNull());
  private static final Field<Boolean> SCOPE_ACTIVE = yes("scope_active", ClaimKeys.scopeIsActive());
  private static final Field<String> LEASE = lease().as("lease");
  private static final Field<Boolean> ATTEMPTS_EXHAUSTED =
      yes("attempts_exhausted", Policies.attemptsAreExhausted());
  private static final Field<Boolean> HORIZON_ELAPSED =
      yes("horizon_elapsed", Policies.horizonHasElapsedAt(Times.AT));
  private static final Field<Boolean> CIRCUIT_ELAPSED =
      yes("circuit_elapsed", Policies.circuitHasElapsedAt(Times.AT));
  private static final Field<Boolean> DEADLINE_PASSED =
      yes("deadline_passed", Policies.deadlineHasPassedAt(Times.AT));
  private static final Field<Boolean> RETRY_DUE =
      yes("retry_due", NEXT_DUE.isNotNull().and(Policies.attemptIsAllowedAt(NEXT_DUE)));
  private static final Field<Integer> OTHER_OPEN =
      field(
              selectCount()
                  .from(OTHER)
                  .where(OTHER.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                  .and(OTHER.WORK_ID.eq(WORK.WORK_ID))
                  .and(OTHER.LEASE_GENERATION.ne(WORK.LEASE_GENERATION))
                  .and(OTHER.STATE.ne(inline(PermitState.NO_EFFECT, OTHER.STATE.getDataType()))))
          .as("other_open");

  /** Begins a transaction of the library's own, whose locks are waited for so long. */
  static final Script BEGIN =
      Script.of(
          StoreSql.COMMIT_DURABLY,
          StoreSql.set(LOCK_TIMEOUT, param(LOCK_TIMEOUT, SQLDataType.CLOB)));

  /**
   * In the global order; the results are the store and the facts. The dispatch row FOR KEY SHARE,
   * as a handoff does, so that its lease is renewed while an application's transaction is open;
   * whoever else takes or frees the row holds the Work first.
   */
  static final Script LOCK_AND_READ =
      Script.of(
          StoreSql.LOCK_EPOCH_SHARED,
          StoreSql.READ_STORE,
          ScopeSql.BIND_SCOPE,
          ScopeSql.LOCK_SCOPE_SHARED,
          lock(
              select(WORK.WORK_ID)
                  .from(WORK)
                  .where(WORK.SCOPE_ID.eq(scope()))
                  .and(WORK.WORK_ID.eq(WORK_ID_PARAM))),
          Statement.of(
              select(DISPATCH.WORK_ID)
                  .from(DISPATCH)
                  .where(DISPATCH.SCOPE_ID.eq(scope()))
                  .and(DISPATCH.WORK_ID.eq(WORK_ID_PARAM))
                  .forKeyShare()),
          lock(
              select(PERMIT.WORK_ID)
                  .from(PERMIT)
                  .where(PERMIT.SCOPE_ID.eq(scope()))
                  .and(PERMIT.WORK_ID.eq(WORK_ID_PARAM))
                  .orderBy(PERMIT.LEASE_GENERATION)),
          read());

  private FactsSql() {}

  /**
   * Locks and reads, inside an open transaction.
   *
   * @param patience how long to wait for each lock; 55P03 when it was not enough
   */
  public static Locked lock(Connection connection, ScopeId scope, WorkId workId, Duration patience)
      throws SQLException {
    List<Rows> results =
        new RoundTrip()
            .add(BEGIN, patience(patience))
            .add(LOCK_AND_READ, keys(scope, workId))
            .send(connection, null);
    return locked(results.get(0), results.get(1));
  }

  static Binds patience(Duration patience) {
    return new Binds().set(LOCK_TIMEOUT, patience.toMillis() + "ms");
  }

  static Binds keys(ScopeId scope, WorkId workId) {
    return new Binds().set(ScopeSql.SCOPE_ID, scope.value()).set(WORK_ID, workId.value());
  }

  static Locked locked(Rows store, Rows rows) {
    return new Locked(StoreSql.store(store), rows.isEmpty() ? null : facts(rows.get(0)));
  }

  /**
   * What was locked.
   *
   * @param store judge it first
   * @param facts null when there is no such Work
   */
  public record Locked(@Nullable StoreRow store, @Nullable WorkFacts facts) {}

  private static Param<String> scope() {
    return ScopeSql.SCOPE_ID_PARAM;
  }

  private static Statement lock(org.jooq.SelectForUpdateStep<?> rows) {
    return Statement.of(rows.forNoKeyUpdate());
  }

  private static Statement read() {
    return Statement.ofRows(
        with(Times.SAMPLED)
            .select(
                WORK.STATE,
                WORK.REVISION,
                WORK.ATTEMPT,
                WORK.LEASE_GENERATION,
                WORK.LEASE_OWNER,
                WORK.SCOPE_GENERATION,
                WORK.EPOCH,
                CANCEL_REQUESTED,
                WORK_SNAPSHOT.PROVIDER_SAFETY,
                SCOPE_ACTIVE,
                LEASE,
                ATTEMPTS_EXHAUSTED,
                HORIZON_ELAPSED,
                CIRCUIT_ELAPSED,
                DEADLINE_PASSED,
                RETRY_DUE,
                PERMIT.STATE,
                OTHER_OPEN)
            .from(joined()));
  }

  private static Table<?> joined() {
    return Times.SAMPLED
        .join(WORK)
        .on(WORK.SCOPE_ID.eq(scope()).and(WORK.WORK_ID.eq(WORK_ID_PARAM)))
        .join(WORK_SNAPSHOT)
        .on(Policies.snapshotIsTheWorks())
        .join(SCOPE)
        .on(SCOPE.SCOPE_ID.eq(scope()))
        .leftJoin(DISPATCH)
        .on(DISPATCH.SCOPE_ID.eq(scope()).and(DISPATCH.WORK_ID.eq(WORK.WORK_ID)))
        .leftJoin(PERMIT)
        .on(
            PERMIT
                .SCOPE_ID
                .eq(scope())
                .and(PERMIT.WORK_ID.eq(WORK.WORK_ID))
                .and(PERMIT.LEASE_GENERATION.eq(WORK.LEASE_GENERATION)));
  }

  private static Field<String> lease() {
    return when(DISPATCH.WORK_ID.isNull(), inline(WorkFacts.Lease.ABSENT.name()))
        .when(
            DISPATCH.LEASE_OWNER.isNull().and(DISPATCH.DUE_AT.le(Times.AT)),
            inline(WorkFacts.Lease.DUE.name()))
        .when(DISPATCH.LEASE_OWNER.isNull(), inline(WorkFacts.Lease.NOT_DUE.name()))
        .when(
            DISPATCH.LEASE_EXPIRES_AT.gt(Times.AT).and(dispatchIsTheWorks()),
            inline(WorkFacts.Lease.LIVE.name()))
        .otherwise(inline(WorkFacts.Lease.EXPIRED.name()));
  }

  private static Condition dispatchIsTheWorks() {
    return DISPATCH
        .LEASE_OWNER
        .eq(WORK.LEASE_OWNER)
        .and(DISPATCH.LEASE_GENERATION.eq(WORK.LEASE_GENERATION));
  }

  private static Field<Boolean> yes(String name, Condition condition) {
    return coalesce(field(condition), inline(false)).as(name);
  }

  private static WorkFacts facts(Row row) {
    return new WorkFacts(
        row.get(WORK.STATE),
        row.get(WORK.REVISION),
        row.get(WORK.ATTEMPT),
        row.get(WORK.LEASE_GENERATION),
        row.get(WORK.LEASE_OWNER),
        row.get(WORK.SCOPE_GENERATION),
        row.get(WORK.EPOCH),
        row.get(CANCEL_REQUESTED),
        row.get(WORK_SNAPSHOT.PROVIDER_SAFETY),
        row.get(SCOPE_ACTIVE),
        WorkFacts.Lease.valueOf(row.get(LEASE)),
        new WorkFacts.Limits(
            row.get(ATTEMPTS_EXHAUSTED),
            row.get(HORIZON_ELAPSED),
            row.get(CIRCUIT_ELAPSED),
            row.get(DEADLINE_PASSED)),
        row.get(PERMIT.STATE),
        row.get(OTHER_OPEN),
        row.get(RETRY_DUE));
  }
}
