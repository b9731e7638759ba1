package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.STORE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.internal.sql.Existence.exists;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.selectOne;

import dev.handofffence.StoreIdentity;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.store.StoreCheck;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * The whole identity of the claims of one scope as parallel arrays, and the conditions under which
 * a row is still theirs.
 */
final class ClaimKeys {

  static final String OWNER = "lease_owner";
  static final String EPOCH = "epoch";
  static final String STORE_ID = "store_id";
  static final String ATTEMPTS = "attempts";
  static final String LEASE_GENERATIONS = "lease_generations";
  static final String SCOPE_GENERATIONS = "scope_generations";

  static final Param<UUID> OWNER_PARAM = param(OWNER, SQLDataType.UUID);
  static final Param<UUID> EPOCH_PARAM = param(EPOCH, SQLDataType.UUID);
  static final Param<UUID> STORE_ID_PARAM = param(STORE_ID, SQLDataType.UUID);
  static final Param<Integer[]> ATTEMPTS_PARAM = param(ATTEMPTS, SQLDataType.INTEGER.array());
  static final Param<Long[]> LEASE_GENERATIONS_PARAM =
      param(LEASE_GENERATIONS, SQLDataType.BIGINT.array());
  static final Param<Long[]> SCOPE_GENERATIONS_PARAM =
      param(SCOPE_GENERATIONS, SQLDataType.BIGINT.array());

  /** Columns of the arrays' table, whose name is {@code given}. */
  static final Field<UUID> WORK_ID = column("work_id", SQLDataType.UUID);

  static final Field<Integer> ATTEMPT = column("attempt", SQLDataType.INTEGER);
  static final Field<Long> LEASE_GENERATION = column("lease_generation", SQLDataType.BIGINT);
  static final Field<Long> SCOPE_GENERATION = column("scope_generation", SQLDataType.BIGINT);

  private ClaimKeys() {}

  static <T> Field<T> column(String name, org.jooq.DataType<T> type) {
    return DSL.field(DSL.name("given", name), type);
  }

  /** The Work row is locked by this transaction and names exactly the given claim. */
  static Condition workIsTheClaims() {
    return WORK.SCOPE_ID
        .eq(ScopeSql.SCOPE_ID_PARAM)
        .and(WorkLocks.isLocked(WORK.WORK_ID))
        .and(WORK.WORK_ID.eq(WORK_ID))
        .and(WORK.ATTEMPT.eq(ATTEMPT))
        .and(WORK.LEASE_GENERATION.eq(LEASE_GENERATION))
        .and(WORK.LEASE_OWNER.eq(OWNER_PARAM))
        .and(WORK.SCOPE_GENERATION.eq(SCOPE_GENERATION))
        .and(WORK.EPOCH.eq(EPOCH_PARAM));
  }

  /** The Work's dispatch row has the claim's lease, and it is live. */
  static Condition leaseIsLive() {
    return DISPATCH
        .SCOPE_ID
        .eq(ScopeSql.SCOPE_ID_PARAM)
        .and(DISPATCH.WORK_ID.eq(WORK_ID))
        .and(DISPATCH.LEASE_OWNER.eq(OWNER_PARAM))
        .and(DISPATCH.LEASE_GENERATION.eq(LEASE_GENERATION))
        .and(DISPATCH.LEASE_EXPIRES_AT.gt(Times.AT));
  }

  /** The scope row, read under its lock, is active in the claim's generation. */
  static Condition scopeIsTheClaims() {
    return scopeIsActive().and(SCOPE.GENERATION.eq(SCOPE_GENERATION));
  }

  static Condition scopeIsActive() {
    return SCOPE
        .SCOPE_ID
        .eq(ScopeSql.SCOPE_ID_PARAM)
        .and(SCOPE.STATE.eq(inline(ScopeState.ACTIVE, SCOPE.STATE.getDataType())));
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

  static Binds binds(StoreIdentity store, List<Claim> claims) {
    Claim first = claims.get(0);
    return new Binds()
        .set(ScopeSql.SCOPE_ID, first.scope().value())
        .set(STORE_ID, store.storeId())
        .set(EPOCH, store.epoch())
        .set(OWNER, first.leaseOwner())
        .set(WorkLocks.WORK_IDS, array(claims, c -> c.workId().value(), new UUID[0]))
        .set(ATTEMPTS, array(claims, Claim::attempt, new Integer[0]))
        .set(LEASE_GENERATIONS, array(claims, Claim::leaseGeneration, new Long[0]))
        .set(SCOPE_GENERATIONS, array(claims, Claim::scopeGeneration, new Long[0]));
  }

  static <S, T> T[] array(List<S> values, Function<S, T> part, T[] type) {
    return values.stream().map(part).toList().toArray(type);
  }
}
