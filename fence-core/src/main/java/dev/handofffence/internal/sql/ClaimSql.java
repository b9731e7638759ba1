package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static dev.handofffence.internal.sql.Columns.column;
import static dev.handofffence.internal.sql.Columns.step;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.DSL.with;

import dev.handofffence.ActivityId;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.claim.Candidate;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.ClaimedWork;
import dev.handofffence.internal.claim.Payload;
import dev.handofffence.internal.state.WorkTransition;
import dev.handofffence.internal.store.StoreRow;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jspecify.annotations.Nullable;

/**
 * Claims many Works in one trip: the plainly claimable ones. Those that are due and were not
 * claimed are named, to be judged one by one.
 */
public final class ClaimSql {

  private static final Field<Duration> REMAINING =
      Times.between(Times.AT, column("leased", DISPATCH.LEASE_EXPIRES_AT)).as("remaining");

  /** What a claim needs of the snapshot, read once. */
  private static final List<Field<?>> SNAPSHOT =
      List.of(
          WORK_SNAPSHOT.ACTIVITY_ID,
          WORK_SNAPSHOT.CONTRACT_NAME,
          WORK_SNAPSHOT.CONTRACT_VERSION,
          WORK_SNAPSHOT.PAYLOAD_FORMAT,
          WORK_SNAPSHOT.PAYLOAD,
          WORK_SNAPSHOT.PAYLOAD_SHA256,
          WORK_SNAPSHOT.PROVIDER_SAFETY,
          WORK_SNAPSHOT.LEASE_DURATION,
          WORK_SNAPSHOT.LEASE_MAX_LIFETIME);

  private static final ScopesTrip TRIP =
      new ScopesTrip(
          StoreSql.PRELUDE_WITHOUT_FLUSH,
          Script.of(
              WorkLocks.BIND_AND_TRY_LOCK_SCOPE,
              WorkLocks.LOCK_WORKS,
              WorkLocks.LOCK_DISPATCH,
              claim(),
              stillDue()));

  private ClaimSql() {}

  /**
   * Claims what it can of the candidates, on a connection in autocommit mode.
   *
   * @param owner worker that will own the claims
   */
  public static ClaimBatch claim(
      Connection connection, StoreIdentity store, UUID owner, Collection<Candidate> candidates)
      throws SQLException {
    List<List<Candidate>> scopes = ScopesTrip.byScope(candidates, Candidate::scope);
    List<Binds> binds = scopes.stream().map(group -> binds(store, owner, group)).toList();
    ScopesTrip.Reply reply = TRIP.send(connection, binds);
    List<ClaimedWork> claimed = new ArrayList<>();
    List<Candidate> unclaimed = new ArrayList<>();
    for (int i = 0; i < scopes.size(); i++) {
      ScopeId scope = scopes.get(i).get(0).scope();
      reply.scopes().get(i).get(0).forEach(row -> claimed.add(claimed(scope, store, owner, row)));
      unclaimed.addAll(named(scopes.get(i), reply.scopes().get(i).get(1)));
    }
    return new ClaimBatch(reply.store(), claimed, unclaimed);
  }

  /**
   * What a trip claimed.
   *
   * @param store judge it first: nothing was claimed from another store or epoch
   * @param unclaimed still due, and locked by nobody else
   */
  public record ClaimBatch(
      @Nullable StoreRow store, List<ClaimedWork> claimed, List<Candidate> unclaimed) {}

  private static Statement claim() {
    return Statement.ofRows(
        with(Times.SAMPLED, take(), lease(), supersede(), record())
            .select(
                column("claimed", WORK.WORK_ID),
                column("claimed", WORK.ATTEMPT),
                column("claimed", WORK.LEASE_GENERATION),
                column("claimed", WORK.SCOPE_GENERATION))
            .select(SNAPSHOT.stream().map(c -> column("claimed", c)).toList())
            .select(REMAINING)
            .from(step("claimed"), step("leased"), Times.SAMPLED)
            .where(column("leased", DISPATCH.WORK_ID).eq(column("claimed", WORK.WORK_ID))));
  }

  private static CommonTableExpression<?> take() {
    return name("claimed")
        .as(
            update(WORK)
                .set(WORK.STATE, States.to(WorkTransition.CLAIM))
                .set(WORK.ATTEMPT, WORK.ATTEMPT.plus(inline(1)))
                .set(WORK.LEASE_GENERATION, WORK.LEASE_GENERATION.plus(inline(1L)))
                .set(WORK.LEASE_OWNER, ClaimKeys.OWNER_PARAM)
                .set(WORK.SCOPE_GENERATION, SCOPE.GENERATION)
                .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
                .from(Times.SAMPLED, SCOPE, WORK_SNAPSHOT, DISPATCH)
                .where(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(WorkLocks.isLocked(WORK.WORK_ID))
                .and(Policies.snapshotIsTheWorks())
                .and(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(DISPATCH.WORK_ID.eq(WORK.WORK_ID))
                .and(ClaimKeys.scopeIsActive())
                .and(ClaimKeys.storeIsOurs())
                .and(WORK.EPOCH.eq(ClaimKeys.EPOCH_PARAM))
                .and(WORK.CANCEL_REQUESTED_AT.isNull())
                .and(Policies.attemptIsAllowedAt(Times.AT))
                .and(isDue().or(leaseIsOverWithoutHarm()))
                .returning(
                    Stream.concat(
                            Stream.of(
                                WORK.WORK_ID,
                                WORK.REVISION,
                                WORK.ATTEMPT,
                                WORK.LEASE_GENERATION,
                                WORK.SCOPE_GENERATION,
                                WORK.DEADLINE_AT),
                            SNAPSHOT.stream())
                        .toList()));
  }

  private static Condition isDue() {
    return States.is(WorkState.READY)
        .and(DISPATCH.LEASE_OWNER.isNull())
        .and(DISPATCH.DUE_AT.le(Times.AT));
  }

  private static Condition leaseIsOverWithoutHarm() {
    return DISPATCH
        .LEASE_EXPIRES_AT
        .le(Times.AT)
        .and(DISPATCH.LEASE_OWNER.eq(WORK.LEASE_OWNER))
        .and(DISPATCH.LEASE_GENERATION.eq(WORK.LEASE_GENERATION))
        .and(
            States.is(WorkState.CLAIMED)
                .or(States.is(WorkState.PERMITTED).and(Policies.unknownOutcomeIsRetried())));
  }

  private static CommonTableExpression<?> lease() {
    return name("leased")
        .as(
            update(DISPATCH)
                .set(DISPATCH.LEASE_GENERATION, column("claimed", WORK.LEASE_GENERATION))
                .set(DISPATCH.LEASE_OWNER, ClaimKeys.OWNER_PARAM)
                .set(DISPATCH.LEASED_AT, Times.AT)
                .set(
                    DISPATCH.LEASE_EXPIRES_AT,
                    Policies.leaseEnd(
                        Times.AT,
                        Times.AT,
                        column("claimed", WORK_SNAPSHOT.LEASE_DURATION),
                        column("claimed", WORK_SNAPSHOT.LEASE_MAX_LIFETIME),
                        column("claimed", WORK.DEADLINE_AT)))
                .from(Times.SAMPLED, step("claimed"))
                .where(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(DISPATCH.WORK_ID.eq(column("claimed", WORK.WORK_ID)))
                .returning(DISPATCH.WORK_ID, DISPATCH.LEASE_EXPIRES_AT));
  }

  /** The permit of an attempt whose lease ran out: nobody knows what became of its effect. */
  private static CommonTableExpression<?> supersede() {
    return name("superseded")
        .as(
            update(PERMIT)
                .set(PERMIT.STATE, inline(PermitState.UNRESOLVED, PERMIT.STATE.getDataType()))
                .set(PERMIT.SETTLED_AT, Times.AT)
                .from(Times.SAMPLED, step("claimed"))
                .where(PERMIT.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(PERMIT.WORK_ID.eq(column("claimed", WORK.WORK_ID)))
                .and(
                    PERMIT.LEASE_GENERATION.eq(
                        column("claimed", WORK.LEASE_GENERATION).minus(inline(1L))))
                .and(PermitSql.isOpen())
                .returning(PERMIT.WORK_ID));
  }

  private static CommonTableExpression<?> record() {
    Field<UUID> superseded = column("superseded", PERMIT.WORK_ID);
    return HistorySql.record(
        WorkTransition.CLAIM,
        "claimed",
        when(superseded.isNotNull(), inline("permit_unresolved")),
        step("claimed")
            .leftJoin(step("superseded"))
            .on(superseded.eq(column("claimed", WORK.WORK_ID))));
  }

  /** After the claim: a claimed Work has a live lease and is no longer due. */
  private static Statement stillDue() {
    return Statement.ofRows(
        with(Times.SAMPLED)
            .select(DISPATCH.WORK_ID)
            .from(DISPATCH, Times.SAMPLED)
            .where(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
            .and(WorkLocks.isLocked(DISPATCH.WORK_ID))
            .and(
                noCondition()
                    .or(DISPATCH.LEASE_OWNER.isNull().and(DISPATCH.DUE_AT.le(Times.AT)))
                    .or(DISPATCH.LEASE_EXPIRES_AT.le(Times.AT))));
  }

  private static Binds binds(StoreIdentity store, UUID owner, List<Candidate> group) {
    return new Binds()
        .set(ScopeSql.SCOPE_ID, group.get(0).scope().value())
        .set(ClaimKeys.STORE_ID, store.storeId())
        .set(ClaimKeys.EPOCH, store.epoch())
        .set(ClaimKeys.OWNER, owner)
        .set(WorkLocks.WORK_IDS, ClaimKeys.array(group, c -> c.workId().value(), new UUID[0]));
  }

  private static List<Candidate> named(List<Candidate> group, Result<Record> rows) {
    Set<UUID> ids = rows.intoSet(DISPATCH.WORK_ID);
    return group.stream().filter(c -> ids.contains(c.workId().value())).toList();
  }

  private static ClaimedWork claimed(ScopeId scope, StoreIdentity store, UUID owner, Record row) {
    Claim claim =
        new Claim(
            scope,
            new WorkId(row.get(column("claimed", WORK.WORK_ID))),
            row.get(column("claimed", WORK.ATTEMPT)),
            row.get(column("claimed", WORK.LEASE_GENERATION)),
            owner,
            row.get(column("claimed", WORK.SCOPE_GENERATION)),
            store.epoch());
    return new ClaimedWork(
        claim,
        new ActivityId(row.get(column("claimed", WORK_SNAPSHOT.ACTIVITY_ID))),
        row.get(column("claimed", WORK_SNAPSHOT.CONTRACT_NAME)),
        row.get(column("claimed", WORK_SNAPSHOT.CONTRACT_VERSION)),
        new Payload(
            row.get(column("claimed", WORK_SNAPSHOT.PAYLOAD_FORMAT)),
            row.get(column("claimed", WORK_SNAPSHOT.PAYLOAD)),
            row.get(column("claimed", WORK_SNAPSHOT.PAYLOAD_SHA256))),
        ProviderSafety.valueOf(row.get(column("claimed", WORK_SNAPSHOT.PROVIDER_SAFETY)).name()),
        new LeasePolicy(
            row.get(column("claimed", WORK_SNAPSHOT.LEASE_DURATION)),
            row.get(column("claimed", WORK_SNAPSHOT.LEASE_MAX_LIFETIME))),
        row.get(REMAINING));
  }
}
