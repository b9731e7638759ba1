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
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.DSL.with;

import dev.handofffence.StoreIdentity;
import dev.handofffence.generated.type.PermitState;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.state.WorkTransition;
import dev.handofffence.internal.store.StoreRow;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Permits and admits many claims in one durable commit, and renews their leases. One-use: the state
 * leaves {@code claimed} exactly once per claim, and the permit's key is the lease generation.
 */
public final class PermitSql {

  /** Until when the lease runs after this. */
  private static final Field<Instant> LEASE_END =
      DSL.field(name("permitted", "lease_end"), SQLDataType.INSTANT);

  private static final Field<Duration> REMAINING =
      Times.between(Times.AT, LEASE_END).as("remaining");
  private static final Field<Integer> NUMBER = column("permitted", HeldRows.NUMBER);

  private static final BatchTrip TRIP =
      BatchTrip.durable(HeldRows.OF_WORK.lock(), permit(), LeaseSql.busy());

  private PermitSql() {}

  /** Permits what it can of the claims of one owner, on a connection in autocommit mode. */
  public static PermitBatch permit(Connection connection, StoreIdentity store, List<Claim> claims)
      throws SQLException {
    Batch<Claim> batch = Batch.ofClaims(claims, claim -> claim);
    BatchTrip.Reply reply = TRIP.send(connection, store, batch, new Binds());
    Map<Claim, Duration> permitted = leases(batch, reply.results().get(0));
    Set<Claim> busy = new LinkedHashSet<>();
    reply.results().get(1).forEach(r -> busy.add(batch.numbered(r.get(LeaseSql.NUMBER))));
    return new PermitBatch(
        reply.store(),
        permitted,
        claims.stream().filter(c -> !permitted.containsKey(c) && !busy.contains(c)).toList(),
        List.copyOf(busy));
  }

  /**
   * What a trip permitted.
   *
   * @param store judge it first: nothing was permitted in another store or epoch
   * @param permitted with how long the lease is good for
   * @param refused for a reason that is to be judged one by one; perhaps no longer owned
   * @param busy locked by somebody else right now
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
        with(Times.SAMPLED, move(), grant(), renew())
            .select(NUMBER, REMAINING)
            .from(step("permitted"), Times.SAMPLED));
  }

  private static CommonTableExpression<?> move() {
    return name("permitted")
        .as(
            update(WORK)
                .set(WORK.STATE, States.to(WorkTransition.PERMIT))
                .set(WORK.PERMITTED_ATTEMPTS, WORK.PERMITTED_ATTEMPTS.plus(inline(1)))
                .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
                .from(HeldRows.OF_WORK.table(), Times.SAMPLED, SCOPE, DISPATCH, WORK_SNAPSHOT)
                .where(ClaimKeys.workIsTheClaims())
                .and(States.allow(WorkTransition.PERMIT))
                .and(WORK.CANCEL_REQUESTED_AT.isNull())
                .and(ClaimKeys.leaseIsLive())
                .andNot(Policies.deadlineHasPassedAt(Times.AT))
                .and(ClaimKeys.snapshotIsTheWorks())
                .and(ClaimKeys.scopeIsTheClaims())
                .and(ClaimKeys.storeIsOurs())
                .returning(
                    HistorySql.moved(
                        HeldRows.NUMBER,
                        HeldRows.DISPATCH_AT,
                        WORK.LEASE_OWNER,
                        WORK.SCOPE_GENERATION,
                        WORK.EPOCH,
                        leaseEnd().as(LEASE_END.getName()))));
  }

  /** The permit is also the history's entry of this transition. */
  private static CommonTableExpression<?> grant() {
    return name("granted")
        .as(
            insertInto(
                    PERMIT,
                    PERMIT.SCOPE_ID,
                    PERMIT.WORK_ID,
                    PERMIT.LEASE_GENERATION,
                    PERMIT.REVISION,
                    PERMIT.ATTEMPT,
                    PERMIT.LEASE_OWNER,
                    PERMIT.SCOPE_GENERATION,
                    PERMIT.EPOCH,
                    PERMIT.STATE,
                    PERMIT.GRANTED_AT,
                    PERMIT.ADMITTED_AT)
                .select(
                    select(
                            column("permitted", WORK.SCOPE_ID),
                            column("permitted", WORK.WORK_ID),
                            column("permitted", WORK.LEASE_GENERATION),
                            column("permitted", WORK.REVISION),
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

  /** A renewal that would add less than a tenth of the lease is not worth a new row. */
  private static Field<Instant> leaseEnd() {
    Field<Instant> renewed = Policies.leaseEnd(DISPATCH.LEASED_AT, Times.AT, WORK.DEADLINE_AT);
    Field<BigDecimal> tenth =
        Times.seconds(WORK_SNAPSHOT.LEASE_DURATION).div(inline(new BigDecimal(10)));
    return when(renewed.gt(Times.plusSeconds(DISPATCH.LEASE_EXPIRES_AT, tenth)), renewed)
        .otherwise(DISPATCH.LEASE_EXPIRES_AT);
  }

  private static CommonTableExpression<?> renew() {
    return name("leased")
        .as(
            update(DISPATCH)
                .set(DISPATCH.LEASE_EXPIRES_AT, LEASE_END)
                .from(step("permitted"))
                .where(HeldRows.isAt(DISPATCH, HeldRows.of("permitted", HeldRows.DISPATCH_AT)))
                .and(DISPATCH.LEASE_EXPIRES_AT.lt(LEASE_END))
                .returning(DISPATCH.WORK_ID));
  }

  private static Map<Claim, Duration> leases(Batch<Claim> batch, Rows rows) {
    Map<Claim, Duration> leases = new HashMap<>();
    rows.forEach(r -> leases.put(batch.numbered(r.get(NUMBER)), r.get(REMAINING)));
    return leases;
  }
}
