package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.STORE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.internal.sql.Columns.column;
import static dev.handofffence.internal.sql.SessionSettings.setting;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;

import dev.handofffence.StoreIdentity;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.store.StoreCheck;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Param;
import org.jooq.impl.SQLDataType;

/**
 * The facts of protocol section 7, numbers 2 to 9, as conditions. Those of the rows are for the
 * values that {@link HandoffRowsSql} has locked.
 */
final class HandoffGuards {

  private static final Param<UUID> STORE_ID = param("store_id", SQLDataType.UUID);
  private static final Param<UUID> ACTIVE_EPOCH = param("active_epoch", SQLDataType.UUID);
  private static final Param<UUID> EPOCH = param("epoch", SQLDataType.UUID);
  private static final Param<String> SCOPE_ID = ScopeSql.SCOPE_ID_PARAM;
  private static final Param<Long> SCOPE_GENERATION = param("scope_generation", SQLDataType.BIGINT);
  private static final Param<UUID> WORK_ID = param("work_id", SQLDataType.UUID);
  private static final Param<Integer> ATTEMPT = param("attempt", SQLDataType.INTEGER);
  private static final Param<Long> LEASE_GENERATION = param("lease_generation", SQLDataType.BIGINT);
  private static final Param<UUID> LEASE_OWNER = param("lease_owner", SQLDataType.UUID);

  static final Condition WORK_KEY = WORK.SCOPE_ID.eq(SCOPE_ID).and(WORK.WORK_ID.eq(WORK_ID));

  static final Condition DISPATCH_KEY =
      DISPATCH.SCOPE_ID.eq(SCOPE_ID).and(DISPATCH.WORK_ID.eq(WORK_ID));

  static final Condition PERMIT_KEY =
      PERMIT
          .SCOPE_ID
          .eq(SCOPE_ID)
          .and(PERMIT.WORK_ID.eq(WORK_ID))
          .and(PERMIT.LEASE_GENERATION.eq(LEASE_GENERATION));

  /** Nothing may be locked in a transaction that is refused. */
  static final Condition TRANSACTION_USABLE =
      setting("transaction_isolation")
          .eq(inline("read committed"))
          .and(setting("transaction_read_only").eq(inline("off")));

  /** Of the store row that a statement reads after the epoch's lock. */
  static final Condition STORE_HOLDS =
      TRANSACTION_USABLE
          .and(STORE.STORE_ID.eq(STORE_ID))
          .and(STORE.ACTIVE_EPOCH.eq(ACTIVE_EPOCH))
          .and(STORE.SCHEMA_VERSION.ge(inline(StoreCheck.SCHEMA_VERSION)))
          .and(STORE.OLDEST_WRITER.le(inline(StoreCheck.SCHEMA_VERSION)))
          .and(STORE.OLDEST_READER.le(STORE.OLDEST_WRITER))
          .and(STORE.OLDEST_WRITER.le(STORE.SCHEMA_VERSION));

  static final Condition DISPATCH_IS_OURS =
      DISPATCH.LEASE_GENERATION.eq(LEASE_GENERATION).and(DISPATCH.LEASE_OWNER.eq(LEASE_OWNER));

  private HandoffGuards() {}

  static Condition scopeHolds(String scope) {
    return column(scope, SCOPE.GENERATION)
        .eq(SCOPE_GENERATION)
        .and(column(scope, SCOPE.STATE).eq(inline(ScopeState.ACTIVE, SCOPE.STATE)));
  }

  static Condition workHolds(String work) {
    return column(work, WORK.STATE)
        .eq(inline(WorkState.PERMITTED, WORK.STATE))
        .and(column(work, WORK.ATTEMPT).eq(ATTEMPT))
        .and(column(work, WORK.LEASE_GENERATION).eq(LEASE_GENERATION))
        .and(column(work, WORK.LEASE_OWNER).eq(LEASE_OWNER))
        .and(column(work, WORK.SCOPE_GENERATION).eq(SCOPE_GENERATION))
        .and(column(work, WORK.EPOCH).eq(EPOCH));
  }

  static Condition dispatchHolds(String dispatch) {
    return column(dispatch, DISPATCH.LEASE_GENERATION)
        .eq(LEASE_GENERATION)
        .and(column(dispatch, DISPATCH.LEASE_OWNER).eq(LEASE_OWNER));
  }

  static Binds keys(Claim claim) {
    return new Binds()
        .set(ScopeSql.SCOPE_ID, claim.scope().value())
        .set("work_id", claim.workId().value());
  }

  static Binds binds(Claim claim, StoreIdentity store) {
    return keys(claim)
        .set("store_id", store.storeId())
        .set("active_epoch", store.epoch())
        .set("epoch", claim.epoch())
        .set("scope_generation", claim.scopeGeneration())
        .set("attempt", claim.attempt())
        .set("lease_generation", claim.leaseGeneration())
        .set("lease_owner", claim.leaseOwner());
  }
}
