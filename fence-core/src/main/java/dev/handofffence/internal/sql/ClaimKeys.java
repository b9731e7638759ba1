package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.STORE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static dev.handofffence.internal.sql.Existence.exists;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.selectOne;

import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.internal.store.StoreCheck;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Param;
import org.jooq.impl.SQLDataType;

/**
 * The conditions under which the rows of a batch are still its claims', whole identity by whole.
 */
final class ClaimKeys {

  static final String OWNER = "lease_owner";
  static final String EPOCH = "epoch";
  static final String STORE_ID = "store_id";

  static final Param<UUID> OWNER_PARAM = param(OWNER, SQLDataType.UUID);
  static final Param<UUID> EPOCH_PARAM = param(EPOCH, SQLDataType.UUID);
  static final Param<UUID> STORE_ID_PARAM = param(STORE_ID, SQLDataType.UUID);

  private static final Param<String[]> SCOPE_IDS = param(Batch.SCOPE_IDS, SQLDataType.CLOB.array());
  private static final Param<UUID[]> WORK_IDS = param(Batch.WORK_IDS, SQLDataType.UUID.array());
  private static final Param<Integer[]> ATTEMPTS =
      param(Batch.ATTEMPTS, SQLDataType.INTEGER.array());
  private static final Param<Long[]> LEASE_GENERATIONS =
      param(Batch.LEASE_GENERATIONS, SQLDataType.BIGINT.array());
  private static final Param<Long[]> SCOPE_GENERATIONS =
      param(Batch.SCOPE_GENERATIONS, SQLDataType.BIGINT.array());

  private ClaimKeys() {}

  /** The Work's row is held. */
  static Condition workIsNamed() {
    return HeldRows.isAt(WORK, HeldRows.WORK_AT)
        .and(HeldRows.isNumbered(WORK.SCOPE_ID, SCOPE_IDS))
        .and(HeldRows.isNumbered(WORK.WORK_ID, WORK_IDS));
  }

  /** The Work's acceptance snapshot, which never changes. */
  static Condition snapshotIsTheWorks() {
    return HeldRows.isAt(WORK_SNAPSHOT, HeldRows.SNAPSHOT_AT)
        .and(HeldRows.isNumbered(WORK_SNAPSHOT.WORK_ID, WORK_IDS));
  }

  /** The Work's dispatch row is held. */
  static Condition dispatchIsTheWorks() {
    return HeldRows.isAt(DISPATCH, HeldRows.DISPATCH_AT)
        .and(HeldRows.isNumbered(DISPATCH.WORK_ID, WORK_IDS));
  }

  /** The Work's row is held, and names exactly the claim of the batch. */
  static Condition workIsTheClaims() {
    return workIsNamed()
        .and(HeldRows.isNumbered(WORK.ATTEMPT, ATTEMPTS))
        .and(HeldRows.isNumbered(WORK.LEASE_GENERATION, LEASE_GENERATIONS))
        .and(WORK.LEASE_OWNER.eq(OWNER_PARAM))
        .and(HeldRows.isNumbered(WORK.SCOPE_GENERATION, SCOPE_GENERATIONS))
        .and(WORK.EPOCH.eq(EPOCH_PARAM));
  }

  /** The Work's dispatch row is held, has the claim's lease, and it is live. */
  static Condition leaseIsLive() {
    return dispatchIsTheWorks()
        .and(DISPATCH.LEASE_OWNER.eq(OWNER_PARAM))
        .and(HeldRows.isNumbered(DISPATCH.LEASE_GENERATION, LEASE_GENERATIONS))
        .and(DISPATCH.LEASE_EXPIRES_AT.gt(Times.AT));
  }

  /** The permit, which the Work's lock keeps, records exactly the claim of the batch, admitted. */
  static Condition permitIsTheClaims() {
    return HeldRows.isAt(PERMIT, HeldRows.PERMIT_AT)
        .and(HeldRows.isNumbered(PERMIT.SCOPE_ID, SCOPE_IDS))
        .and(HeldRows.isNumbered(PERMIT.WORK_ID, WORK_IDS))
        .and(HeldRows.isNumbered(PERMIT.LEASE_GENERATION, LEASE_GENERATIONS))
        .and(HeldRows.isNumbered(PERMIT.ATTEMPT, ATTEMPTS))
        .and(PERMIT.LEASE_OWNER.eq(OWNER_PARAM))
        .and(HeldRows.isNumbered(PERMIT.SCOPE_GENERATION, SCOPE_GENERATIONS))
        .and(PERMIT.EPOCH.eq(EPOCH_PARAM))
        .and(PERMIT.STATE.eq(inline(PermitState.ADMITTED, PERMIT.STATE.getDataType())));
  }

  /** The scope's row, read under its lock, is active in the claim's generation. */
  static Condition scopeIsTheClaims() {
    return heldScopeIsActive().and(HeldRows.isNumbered(SCOPE.GENERATION, SCOPE_GENERATIONS));
  }

  /** The scope's row, read under its lock, is active. */
  static Condition heldScopeIsActive() {
    return HeldRows.isAt(SCOPE, HeldRows.SCOPE_AT).and(isActive());
  }

  static Condition scopeIsActive() {
    return SCOPE.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM).and(isActive());
  }

  private static Condition isActive() {
    return SCOPE.STATE.eq(inline(ScopeState.ACTIVE, SCOPE.STATE.getDataType()));
  }

  /** The store row, read under the epoch lock, is the runtime's; Java judges it again, by name. */
  static Condition storeIsOurs() {
    return exists(
        selectOne()
            .from(STORE)
            .where(STORE.STORE_ID.eq(STORE_ID_PARAM))
            .and(STORE.ACTIVE_EPOCH.eq(EPOCH_PARAM))
            .and(STORE.SCHEMA_VERSION.ge(inline(StoreCheck.SCHEMA_VERSION)))
            .and(STORE.OLDEST_WRITER.le(inline(StoreCheck.SCHEMA_VERSION))));
  }
}
