package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static dev.handofffence.internal.sql.Columns.column;
import static dev.handofffence.internal.sql.Columns.step;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.handofffence.StoreIdentity;
import dev.handofffence.generated.type.PermitState;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.state.WorkTransition;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Permits and admits many claims in one durable commit, and renews their leases. One-use: the state
 * leaves {@code claimed} exactly once per claim, and the permit's key is the lease generation.
 */
public final class PermitSql {

  private static final Field<Duration> REMAINING =
      Times.between(Times.AT, column("leased", DISPATCH.LEASE_EXPIRES_AT)).as("remaining");

  private static final Table<?> GIVEN =
      DSL.table(
              "unnest({0}, {1}, {2}, {3})",
              WorkLocks.WORK_IDS_PARAM,
              ClaimKeys.ATTEMPTS_PARAM,
              ClaimKeys.LEASE_GENERATIONS_PARAM,
              ClaimKeys.SCOPE_GENERATIONS_PARAM)
          .as("given", "work_id", "attempt", "lease_generation", "scope_generation");

  private static final ScopesTrip TRIP =
      new ScopesTrip(
          StoreSql.DURABLE_PRELUDE,
          Script.of(
              WorkLocks.BIND_AND_TRY_LOCK_SCOPE,
              WorkLocks.LOCK_WORKS,
              WorkLocks.LOCK_DISPATCH,
              permit(),
              WorkLocks.READ_LOCKED));

  private PermitSql() {}

  /** Permits what it can of the claims of one owner, on a connection in autocommit mode. */
  public static PermitBatch permit(Connection connection, StoreIdentity store, List<Claim> claims)
      throws SQLException {
    List<List<Claim>> scopes = ScopesTrip.byScope(claims, Claim::scope);
    List<Binds> binds = scopes.stream().map(group -> ClaimKeys.binds(store, group)).toList();
    ScopesTrip.Reply reply = TRIP.send(connection, binds);
    Map<Claim, Duration> permitted = new HashMap<>();
    List<Claim> refused = new ArrayList<>();
    List<Claim> busy = new ArrayList<>();
    for (int i = 0; i < scopes.size(); i++) {
      Map<UUID, Duration> leases = leases(reply.scopes().get(i).get(0));
      Set<UUID> locked = WorkLocks.locked(reply.scopes().get(i).get(1));
      for (Claim claim : scopes.get(i)) {
        Duration remaining = leases.get(claim.workId().value());
        if (remaining != null) {
          permitted.put(claim, remaining);
        } else {
          (locked.contains(claim.workId().value()) ? refused : busy).add(claim);
        }
      }
    }
    return new PermitBatch(reply.store(), permitted, refused, busy);
  }

  /**
   * What a trip permitted.
   *
   * @param store judge it first: nothing was permitted in another store or epoch
   * @param permitted with how long the lease is good for
   * @param refused for a reason that is to be judged one by one
   * @param busy locked by somebody else right now, or gone
   */
  public record PermitBatch(
      @Nullable StoreRow store,
      Map<Claim, Duration> permitted,
      List<Claim> refused,
      List<Claim> busy) {}

  /** Whether the effect of a permit may still happen, or its end is not recorded. */
  static Condition isOpen() {
    return PERMIT.STATE.in(
        inline(PermitState.GRANTED, PERMIT.STATE.getDataType()),
        inline(PermitState.ADMITTED, PERMIT.STATE.getDataType()));
  }

  private static Statement permit() {
    return Statement.ofRows(
        with(Times.SAMPLED, move(), grant(), renew(), record())
            .select(column("permitted", WORK.WORK_ID), REMAINING)
            .from(step("permitted"), step("leased"), Times.SAMPLED)
            .where(column("leased", DISPATCH.WORK_ID).eq(column("permitted", WORK.WORK_ID))));
  }

  private static CommonTableExpression<?> move() {
    return name("permitted")
        .as(
            update(WORK)
                .set(WORK.STATE, States.to(WorkTransition.PERMIT))
                .set(WORK.PERMITTED_ATTEMPTS, WORK.PERMITTED_ATTEMPTS.plus(inline(1)))
                .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
                .from(GIVEN, Times.SAMPLED, SCOPE, DISPATCH)
                .where(ClaimKeys.workIsTheClaims())
                .and(States.allow(WorkTransition.PERMIT))
                .and(WORK.CANCEL_REQUESTED_AT.isNull())
                .and(ClaimKeys.leaseIsLive())
                .andNot(Policies.deadlineHasPassedAt(Times.AT))
                .and(ClaimKeys.scopeIsTheClaims())
                .and(ClaimKeys.storeIsOurs())
                .returning(
                    WORK.WORK_ID,
                    WORK.REVISION,
                    WORK.ATTEMPT,
                    WORK.LEASE_GENERATION,
                    WORK.LEASE_OWNER,
                    WORK.SCOPE_GENERATION,
                    WORK.EPOCH,
                    WORK.DEADLINE_AT));
  }

  private static CommonTableExpression<?> grant() {
    return name("granted")
        .as(
            insertInto(
                    PERMIT,
                    PERMIT.SCOPE_ID,
                    PERMIT.WORK_ID,
                    PERMIT.LEASE_GENERATION,
                    PERMIT.ATTEMPT,
                    PERMIT.LEASE_OWNER,
                    PERMIT.SCOPE_GENERATION,
                    PERMIT.EPOCH,
                    PERMIT.STATE,
                    PERMIT.GRANTED_AT,
                    PERMIT.ADMITTED_AT)
                .select(
                    select(
                            ScopeSql.SCOPE_ID_PARAM,
                            column("permitted", WORK.WORK_ID),
                            column("permitted", WORK.LEASE_GENERATION),
                            column("permitted", WORK.ATTEMPT),
                            column("permitted", WORK.LEASE_OWNER),
                            column("permitted", WORK.SCOPE_GENERATION),
                            column("permitted", WORK.EPOCH),
                            inline(PermitState.ADMITTED, PERMIT.STATE.getDataType()),
                            Times.AT,
                            Times.AT)
                        .from(step("permitted"), Times.SAMPLED))
                .returning(PERMIT.WORK_ID));
  }

  private static CommonTableExpression<?> renew() {
    return name("leased")
        .as(
            update(DISPATCH)
                .set(
                    DISPATCH.LEASE_EXPIRES_AT,
                    Policies.leaseEnd(
                        DISPATCH.LEASED_AT, Times.AT, column("permitted", WORK.DEADLINE_AT)))
                .from(Times.SAMPLED, step("permitted"), WORK_SNAPSHOT)
                .where(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(DISPATCH.WORK_ID.eq(column("permitted", WORK.WORK_ID)))
                .and(WORK_SNAPSHOT.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(WORK_SNAPSHOT.WORK_ID.eq(column("permitted", WORK.WORK_ID)))
                .returning(DISPATCH.WORK_ID, DISPATCH.LEASE_EXPIRES_AT));
  }

  private static CommonTableExpression<?> record() {
    return HistorySql.record(
        WorkTransition.PERMIT, "permitted", inline(null, SQLDataType.CLOB), step("permitted"));
  }

  private static Map<UUID, Duration> leases(Result<Record> rows) {
    Map<UUID, Duration> leases = new HashMap<>();
    rows.forEach(r -> leases.put(r.get(column("permitted", WORK.WORK_ID)), r.get(REMAINING)));
    return leases;
  }
}
