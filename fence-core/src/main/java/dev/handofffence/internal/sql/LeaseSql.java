package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.with;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Renews many leases in one trip. Locks dispatch rows alone, so that it passes while a handoff
 * transaction holds the Work and, FOR KEY SHARE, the dispatch row; waits for none of them.
 */
public final class LeaseSql {

  private static final Field<Duration> REMAINING =
      Times.between(Times.AT, DISPATCH.LEASE_EXPIRES_AT).as("remaining");
  private static final Field<Boolean> CANCEL_REQUESTED =
      field(WORK.CANCEL_REQUESTED_AT.isNotNull()).as("cancel_requested");

  private static final Table<?> GIVEN =
      DSL.table("unnest({0}, {1})", WorkLocks.WORK_IDS_PARAM, ClaimKeys.LEASE_GENERATIONS_PARAM)
          .as("given", "work_id", "lease_generation");

  private static final ScopesTrip TRIP =
      new ScopesTrip(
          StoreSql.PRELUDE_WITHOUT_FLUSH,
          Script.of(
              WorkLocks.BIND_AND_TRY_LOCK_SCOPE, WorkLocks.LOCK_DISPATCH_ALONE, renew(), read()));

  private LeaseSql() {}

  /**
   * Renews what it can of the claims of one owner, on a connection in autocommit mode.
   *
   * <p>A row that was busy is simply not renewed this time.
   */
  public static LeaseBatch renew(Connection connection, StoreIdentity store, List<Claim> claims)
      throws SQLException {
    List<List<Claim>> scopes = ScopesTrip.byScope(claims, Claim::scope);
    List<Binds> binds = scopes.stream().map(group -> ClaimKeys.binds(store, group)).toList();
    ScopesTrip.Reply reply = TRIP.send(connection, binds);
    Map<Claim, Lease> leases = new HashMap<>();
    for (int i = 0; i < scopes.size(); i++) {
      Map<UUID, Lease> found = leases(reply.scopes().get(i));
      for (Claim claim : scopes.get(i)) {
        Lease lease = found.get(claim.workId().value());
        if (lease != null) {
          leases.put(claim, lease);
        }
      }
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
                Policies.leaseEnd(DISPATCH.LEASED_AT, Times.AT, WORK.DEADLINE_AT))
            .from(GIVEN, Times.SAMPLED, WORK, WORK_SNAPSHOT)
            .where(ClaimKeys.leaseIsLive())
            .and(WorkLocks.isLocked(DISPATCH.WORK_ID))
            .and(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
            .and(WORK.WORK_ID.eq(DISPATCH.WORK_ID))
            .and(Policies.snapshotIsTheWorks())
            .and(ClaimKeys.storeIsOurs())
            .returning(DISPATCH.WORK_ID));
  }

  /** The Work's cancellation is read without a lock: it only tells the executor sooner. */
  private static Statement read() {
    return Statement.ofRows(
        with(Times.SAMPLED)
            .select(DISPATCH.WORK_ID, REMAINING, CANCEL_REQUESTED)
            .from(GIVEN, Times.SAMPLED, DISPATCH, WORK)
            .where(ClaimKeys.leaseIsLive())
            .and(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
            .and(WORK.WORK_ID.eq(DISPATCH.WORK_ID)));
  }

  private static Map<UUID, Lease> leases(List<Result<Record>> ofScope) {
    Set<UUID> renewed = ofScope.get(0).intoSet(DISPATCH.WORK_ID);
    Map<UUID, Lease> leases = new HashMap<>();
    for (Record row : ofScope.get(1)) {
      UUID work = row.get(DISPATCH.WORK_ID);
      leases.put(
          work, new Lease(row.get(REMAINING), renewed.contains(work), row.get(CANCEL_REQUESTED)));
    }
    return leases;
  }
}
