package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.internal.sql.SessionSettings.lockShared;
import static dev.handofffence.internal.sql.SessionSettings.setLocally;
import static org.jooq.impl.DSL.select;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Locking and reading the rows that a handoff rests on: by key, each only if all before it hold,
 * each with the weakest lock that keeps its facts true until the caller commits (protocol section
 * 2).
 */
final class HandoffRowsSql {

  /** Shows the scope's rows, and makes a change of the scope wait for this transaction. */
  static final Statement BIND_AND_LOCK_SCOPE =
      Statement.of(
          select(
                  setLocally(HandoffSessionSql.SCOPE_SETTING, ScopeSql.SCOPE_ID_PARAM),
                  lockShared(ScopeSql.SCOPE_LOCK_KEY))
              .where(HandoffGuards.STORE_HOLDS));

  static final Statement READ_SCOPE =
      Statement.ofRows(
          select(SCOPE.GENERATION, SCOPE.STATE)
              .from(SCOPE)
              .where(SCOPE.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
              .and(HandoffGuards.STORE_HOLDS));

  /** Not FOR UPDATE, so that foreign-key checks of the application do not wait for a handoff. */
  static final Statement LOCK_WORK =
      Statement.ofRows(
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
              .and(HandoffGuards.SCOPE_HOLDS)
              .forNoKeyUpdate());

  /** FOR KEY SHARE, so that the pump goes on renewing the lease while the handoff is open. */
  static final Statement LOCK_DISPATCH =
      Statement.ofRows(
          select(DISPATCH.LEASE_GENERATION, DISPATCH.LEASE_OWNER)
              .from(DISPATCH)
              .where(HandoffGuards.DISPATCH_KEY)
              .and(HandoffGuards.WORK_HOLDS)
              .forKeyShare());

  static final Statement LOCK_PERMIT =
      Statement.ofRows(
          select(
                  PERMIT.STATE,
                  PERMIT.ATTEMPT,
                  PERMIT.LEASE_OWNER,
                  PERMIT.SCOPE_GENERATION,
                  PERMIT.EPOCH)
              .from(PERMIT)
              .where(HandoffGuards.PERMIT_KEY)
              .and(HandoffGuards.DISPATCH_HOLDS)
              .forNoKeyUpdate());

  private HandoffRowsSql() {}

  static HandoffFacts.@Nullable Scope scope(Rows rows) {
    return first(
        rows.map(r -> new HandoffFacts.Scope(r.get(SCOPE.GENERATION), r.get(SCOPE.STATE))));
  }

  static HandoffFacts.@Nullable Work work(Rows rows) {
    return first(
        rows.map(
            r ->
                new HandoffFacts.Work(
                    r.get(WORK.STATE),
                    r.get(WORK.ATTEMPT),
                    r.get(WORK.LEASE_GENERATION),
                    r.get(WORK.LEASE_OWNER),
                    r.get(WORK.SCOPE_GENERATION),
                    r.get(WORK.EPOCH),
                    r.get(WORK.CANCEL_REQUESTED_AT) != null)));
  }

  static HandoffFacts.@Nullable Dispatch dispatch(Rows rows) {
    return first(
        rows.map(
            r ->
                new HandoffFacts.Dispatch(
                    r.get(DISPATCH.LEASE_GENERATION), r.get(DISPATCH.LEASE_OWNER))));
  }

  static HandoffFacts.@Nullable Permit permit(Rows rows) {
    return first(
        rows.map(
            r ->
                new HandoffFacts.Permit(
                    r.get(PERMIT.STATE),
                    r.get(PERMIT.ATTEMPT),
                    r.get(PERMIT.LEASE_OWNER),
                    r.get(PERMIT.SCOPE_GENERATION),
                    r.get(PERMIT.EPOCH))));
  }

  private static <T> @Nullable T first(List<T> rows) {
    return rows.isEmpty() ? null : rows.get(0);
  }
}
