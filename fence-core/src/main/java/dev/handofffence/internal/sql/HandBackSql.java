package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.internal.sql.Columns.column;
import static dev.handofffence.internal.sql.Columns.step;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.state.WorkTransition;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Hands claims back that have no permit: the Works are ready again, with the due time they had, and
 * idle hosts are told. What is busy, or no longer this claim's, is left alone; its lease runs out.
 */
public final class HandBackSql {

  private static final Field<Integer> NUMBER = column("returned", HeldRows.NUMBER);

  private static final BatchTrip TRIP =
      BatchTrip.withoutFlush(HeldRows.OF_WORK.lock(), handBack(), WakeSql.NOTIFY_IF_IDLE);

  private HandBackSql() {}

  /** Hands back what it can of the claims of one owner, on a connection in autocommit mode. */
  public static Returned handBack(
      Connection connection, StoreIdentity store, Collection<Claim> claims) throws SQLException {
    Batch<Claim> batch = Batch.ofClaims(claims, claim -> claim);
    BatchTrip.Reply reply = TRIP.send(connection, store, batch, new Binds());
    return new Returned(
        reply.store(), reply.results().get(0).map(r -> batch.numbered(r.get(NUMBER))));
  }

  /**
   * What a trip handed back.
   *
   * @param store judge it first: nothing was handed back in another store or epoch
   */
  public record Returned(@Nullable StoreRow store, List<Claim> claims) {}

  private static Statement handBack() {
    return Statement.ofRows(
        with(move(), release(), record()).select(NUMBER).from(step("returned")));
  }

  private static CommonTableExpression<?> move() {
    return name("returned")
        .as(
            update(WORK)
                .set(WORK.STATE, States.to(WorkTransition.HAND_BACK))
                .set(WORK.LEASE_OWNER, inline(null, WORK.LEASE_OWNER))
                .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
                .from(HeldRows.OF_WORK.table(), SCOPE)
                .where(ClaimKeys.workIsTheClaims())
                .and(States.allow(WorkTransition.HAND_BACK))
                .and(ClaimKeys.scopeIsTheClaims())
                .and(ClaimKeys.storeIsOurs())
                .returning(HistorySql.moved(HeldRows.NUMBER, HeldRows.DISPATCH_AT)));
  }

  private static CommonTableExpression<?> release() {
    return name("freed")
        .as(
            update(DISPATCH)
                .set(DISPATCH.LEASE_OWNER, inline(null, DISPATCH.LEASE_OWNER))
                .set(DISPATCH.LEASED_AT, inline(null, DISPATCH.LEASED_AT))
                .set(DISPATCH.LEASE_EXPIRES_AT, inline(null, DISPATCH.LEASE_EXPIRES_AT))
                .from(step("returned"))
                .where(HeldRows.isAt(DISPATCH, HeldRows.of("returned", HeldRows.DISPATCH_AT)))
                .returning(DISPATCH.WORK_ID));
  }

  private static CommonTableExpression<?> record() {
    return HistorySql.record(
        WorkTransition.HAND_BACK, "returned", inline(null, SQLDataType.CLOB), step("returned"));
  }
}
