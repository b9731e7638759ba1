package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static dev.handofffence.internal.sql.Columns.column;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.with;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Renews many leases in one trip. Locks dispatch rows alone, so that it passes while a handoff
 * transaction holds the Work and, FOR KEY SHARE, the dispatch row; waits for none of them.
 */
public final class LeaseSql {

  private static final Field<UUID[]> WORK_IDS = param(Batch.WORK_IDS, SQLDataType.UUID.array());
  private static final Field<String[]> SCOPE_IDS = param(Batch.SCOPE_IDS, SQLDataType.CLOB.array());
  private static final Field<Long[]> LEASE_GENERATIONS =
      param(Batch.LEASE_GENERATIONS, SQLDataType.BIGINT.array());

  private static final Field<Duration> REMAINING =
      Times.between(Times.AT, field(name("lease", "lease_expires_at"), SQLDataType.INSTANT))
          .as("remaining");
  private static final Field<Instant> CANCEL_REQUESTED_AT =
      column("owned", WORK.CANCEL_REQUESTED_AT);
  private static final Field<Boolean> CANCEL_REQUESTED =
      field(CANCEL_REQUESTED_AT.isNotNull()).as("cancel_requested");

  static final Field<Integer> NUMBER = field(name("given", "number"), SQLDataType.INTEGER);
  private static final Table<?> GIVEN =
      table("generate_series(1, cardinality({0}))", WORK_IDS).as("given", "number");

  private static final BatchTrip TRIP =
      BatchTrip.withoutFlush(HeldRows.OF_DISPATCH.lock(), renew(), read());

  private LeaseSql() {}

  /**
   * Renews what it can of the claims of one owner, on a connection in autocommit mode.
   *
   * <p>A row that was busy is simply not renewed this time.
   */
  public static LeaseBatch renew(Connection connection, StoreIdentity store, List<Claim> claims)
      throws SQLException {
    Batch<Claim> batch = Batch.ofClaims(claims, claim -> claim);
    BatchTrip.Reply reply = TRIP.send(connection, store, batch, new Binds());
    Set<Integer> renewed =
        new HashSet<>(reply.results().get(0).map(row -> row.get(HeldRows.NUMBER)));
    Map<Claim, Lease> leases = new HashMap<>();
    for (Row row : reply.results().get(1)) {
      int number = row.get(NUMBER);
      leases.put(
          batch.numbered(number),
          new Lease(row.get(REMAINING), renewed.contains(number), row.get(CANCEL_REQUESTED)));
    }
    return new LeaseBatch(reply.store(), leases);
  }

  /**
   * What is left of each lease, renewed or not.
   *
   * @param store judge it first: nothing was renewed in another store or epoch
   * @param leases the live ones; a claim that is not among them is lost
   */
  public record LeaseBatch(@Nullable StoreRow store, Map<Claim, Lease> leases) {}

  /**
   * A live lease.
   *
   * @param renewed whether it was; a row or scope that was busy is worth another try soon
   */
  public record Lease(Duration remaining, boolean renewed, boolean cancelRequested) {}

  private static Statement renew() {
    return Statement.ofRows(
        with(Times.SAMPLED)
            .update(DISPATCH)
            .set(
                DISPATCH.LEASE_EXPIRES_AT,
                Policies.leaseEnd(
                    DISPATCH.LEASED_AT,
                    Times.AT,
                    column("policy", WORK_SNAPSHOT.LEASE_DURATION),
                    column("policy", WORK_SNAPSHOT.LEASE_MAX_LIFETIME),
                    column("owned", WORK.DEADLINE_AT)))
            .from(
                HeldRows.OF_DISPATCH.table(),
                Times.SAMPLED,
                lateral(work(HeldRows.NUMBER)),
                lateral(policy()))
            .where(ClaimKeys.leaseIsLive())
            .and(ClaimKeys.storeIsOurs())
            .returning(HeldRows.NUMBER));
  }

  /**
   * Of all claims, also of those whose row was busy. The Work's cancellation is read without a
   * lock: it only tells the executor sooner.
   */
  private static Statement read() {
    return Statement.ofRows(
        with(Times.SAMPLED)
            .select(NUMBER, REMAINING, CANCEL_REQUESTED)
            .from(GIVEN, Times.SAMPLED, lateral(lease()), lateral(work(NUMBER)))
            .where(field(name("lease", "lease_expires_at"), SQLDataType.INSTANT).gt(Times.AT)));
  }

  /** Claims that are still owned, and whose rows an earlier statement of the trip found locked. */
  static Statement busy() {
    return Statement.ofRows(
        select(NUMBER).from(GIVEN, lateral(lease())).where(DSL.not(HeldRows.isHeld(NUMBER))));
  }

  /** Subqueries with a limit, so that the server cannot find rows by anything but their keys. */
  private static Table<?> work(Field<Integer> number) {
    return select(WORK.DEADLINE_AT, WORK.CANCEL_REQUESTED_AT)
        .from(WORK)
        .where(WORK.SCOPE_ID.eq(of(SCOPE_IDS, number, SQLDataType.CLOB)))
        .and(WORK.WORK_ID.eq(of(WORK_IDS, number, SQLDataType.UUID)))
        .limit(inline(1))
        .asTable("owned");
  }

  private static Table<?> policy() {
    return select(WORK_SNAPSHOT.LEASE_DURATION, WORK_SNAPSHOT.LEASE_MAX_LIFETIME)
        .from(WORK_SNAPSHOT)
        .where(WORK_SNAPSHOT.SCOPE_ID.eq(of(SCOPE_IDS, HeldRows.NUMBER, SQLDataType.CLOB)))
        .and(WORK_SNAPSHOT.WORK_ID.eq(of(WORK_IDS, HeldRows.NUMBER, SQLDataType.UUID)))
        .limit(inline(1))
        .asTable("policy");
  }

  private static Table<?> lease() {
    return select(DISPATCH.LEASE_EXPIRES_AT)
        .from(DISPATCH)
        .where(DISPATCH.SCOPE_ID.eq(of(SCOPE_IDS, NUMBER, SQLDataType.CLOB)))
        .and(DISPATCH.WORK_ID.eq(of(WORK_IDS, NUMBER, SQLDataType.UUID)))
        // Not an equality, which would prove the predicate of the index of leased rows.
        .and(DISPATCH.LEASE_OWNER.isNotDistinctFrom(ClaimKeys.OWNER_PARAM))
        .and(DISPATCH.LEASE_GENERATION.eq(of(LEASE_GENERATIONS, NUMBER, SQLDataType.BIGINT)))
        .limit(inline(1))
        .asTable("lease");
  }

  private static <T> Field<T> of(Field<T[]> array, Field<Integer> number, DataType<T> type) {
    return field("({0})[{1}]", type, array, number);
  }
}
