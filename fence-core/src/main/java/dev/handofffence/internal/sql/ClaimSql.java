package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static dev.handofffence.internal.sql.Columns.column;
import static dev.handofffence.internal.sql.Columns.step;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.DSL.with;

import dev.handofffence.ActivityId;
import dev.handofffence.StoreIdentity;
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
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Select;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Claims many Works in one trip: the plainly claimable ones. Those that are due and were not
 * claimed are named, to be judged one by one.
 */
public final class ClaimSql {

  /** Until when the lease of the claim runs. */
  private static final Field<Instant> LEASE_END =
      DSL.field(name("claimed", "lease_end"), SQLDataType.INSTANT);

  private static final Field<Duration> REMAINING =
      Times.between(Times.AT, LEASE_END).as("remaining");
  private static final Field<Integer> NUMBER = column("claimed", HeldRows.NUMBER);

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

  private static final Field<Integer> ATTEMPT = column("claimed", WORK.ATTEMPT);
  private static final Field<Long> LEASE_GENERATION = column("claimed", WORK.LEASE_GENERATION);
  private static final Field<Long> SCOPE_GENERATION = column("claimed", WORK.SCOPE_GENERATION);
  private static final Field<UUID> ACTIVITY_ID = column("claimed", WORK_SNAPSHOT.ACTIVITY_ID);
  private static final Field<String> NAME = column("claimed", WORK_SNAPSHOT.CONTRACT_NAME);
  private static final Field<String> VERSION = column("claimed", WORK_SNAPSHOT.CONTRACT_VERSION);
  private static final Field<String> FORMAT = column("claimed", WORK_SNAPSHOT.PAYLOAD_FORMAT);
  private static final Field<byte[]> PAYLOAD = column("claimed", WORK_SNAPSHOT.PAYLOAD);
  private static final Field<byte[]> SHA256 = column("claimed", WORK_SNAPSHOT.PAYLOAD_SHA256);
  private static final Field<dev.handofffence.generated.type.ProviderSafety> SAFETY =
      column("claimed", WORK_SNAPSHOT.PROVIDER_SAFETY);
  private static final Field<Duration> LEASE = column("claimed", WORK_SNAPSHOT.LEASE_DURATION);
  private static final Field<Duration> LIFETIME =
      column("claimed", WORK_SNAPSHOT.LEASE_MAX_LIFETIME);

  private static final BatchTrip TRIP =
      BatchTrip.withoutFlush(HeldRows.OF_WORK.lock(), claim(), stillDue());

  private ClaimSql() {}

  /**
   * Claims what it can of the candidates, on a connection in autocommit mode.
   *
   * @param owner worker that will own the claims
   */
  public static ClaimBatch claim(
      Connection connection, StoreIdentity store, UUID owner, Collection<Candidate> candidates)
      throws SQLException {
    Batch<Candidate> batch = Batch.of(candidates, Candidate::scope, Candidate::workId);
    BatchTrip.Reply reply =
        TRIP.send(connection, store, batch, new Binds().set(ClaimKeys.OWNER, owner));
    return new ClaimBatch(
        reply.store(),
        reply.results().get(0).map(row -> claimed(batch, store, owner, row)),
        reply.results().get(1).map(row -> batch.numbered(row.get(HeldRows.NUMBER))));
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
        with(Times.SAMPLED, take(), lease(), open(), supersede(), record())
            .select(NUMBER, ATTEMPT, LEASE_GENERATION, SCOPE_GENERATION)
            .select(ACTIVITY_ID, NAME, VERSION, FORMAT, PAYLOAD, SHA256, SAFETY, LEASE, LIFETIME)
            .select(REMAINING)
            .from(step("claimed"), Times.SAMPLED));
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
                .from(HeldRows.OF_WORK.table(), Times.SAMPLED, SCOPE, WORK_SNAPSHOT, DISPATCH)
                .where(ClaimKeys.workIsNamed())
                .and(ClaimKeys.snapshotIsTheWorks())
                .and(ClaimKeys.dispatchIsTheWorks())
                .and(ClaimKeys.heldScopeIsActive())
                .and(ClaimKeys.storeIsOurs())
                .and(WORK.EPOCH.eq(ClaimKeys.EPOCH_PARAM))
                .and(WORK.CANCEL_REQUESTED_AT.isNull())
                .and(Policies.attemptIsAllowedAt(Times.AT))
                .and(isDue().or(leaseIsOverWithoutHarm()))
                .returning(
                    Stream.concat(
                            HistorySql.moved(
                                HeldRows.NUMBER,
                                HeldRows.DISPATCH_AT,
                                WORK.SCOPE_GENERATION,
                                Policies.leaseEnd(Times.AT, Times.AT, WORK.DEADLINE_AT)
                                    .as(LEASE_END.getName()))
                                .stream(),
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
                .set(DISPATCH.LEASE_EXPIRES_AT, LEASE_END)
                .from(Times.SAMPLED, step("claimed"))
                .where(HeldRows.isAt(DISPATCH, HeldRows.of("claimed", HeldRows.DISPATCH_AT)))
                .returning(DISPATCH.WORK_ID));
  }

  /** The permit of an attempt whose lease ran out: nobody knows what became of its effect. */
  private static CommonTableExpression<?> open() {
    Field<Long> former = column("claimed", WORK.LEASE_GENERATION).minus(inline(1L));
    Select<?> row =
        select(HeldRows.placeOf(PERMIT).as("permit_at"))
            .from(PERMIT)
            .where(PERMIT.SCOPE_ID.eq(column("claimed", WORK.SCOPE_ID)))
            .and(PERMIT.WORK_ID.eq(column("claimed", WORK.WORK_ID)))
            .and(PERMIT.LEASE_GENERATION.eq(former))
            .and(PermitSql.isOpen())
            .limit(inline(1));
    return name("open")
        .as(
            select(HeldRows.of("permit_row", HeldRows.PERMIT_AT))
                .from(step("claimed"), lateral(row.asTable("permit_row")))
                .where(former.gt(inline(0L))));
  }

  private static CommonTableExpression<?> supersede() {
    return name("superseded")
        .as(
            update(PERMIT)
                .set(PERMIT.STATE, inline(PermitState.UNRESOLVED, PERMIT.STATE.getDataType()))
                .set(PERMIT.SETTLED_AT, Times.AT)
                .from(Times.SAMPLED, step("open"))
                .where(HeldRows.isAt(PERMIT, HeldRows.of("open", HeldRows.PERMIT_AT)))
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

  /** After the claim: the dispatch row of a claimed Work is no longer where it was. */
  private static Statement stillDue() {
    return Statement.ofRows(
        with(Times.SAMPLED)
            .select(HeldRows.NUMBER)
            .from(HeldRows.OF_WORK.table(), DISPATCH, Times.SAMPLED)
            .where(ClaimKeys.dispatchIsTheWorks())
            .and(
                noCondition()
                    .or(DISPATCH.LEASE_OWNER.isNull().and(DISPATCH.DUE_AT.le(Times.AT)))
                    .or(DISPATCH.LEASE_EXPIRES_AT.le(Times.AT))));
  }

  private static ClaimedWork claimed(
      Batch<Candidate> batch, StoreIdentity store, UUID owner, Row row) {
    Candidate candidate = batch.numbered(row.get(NUMBER));
    Claim claim =
        new Claim(
            candidate.scope(),
            candidate.workId(),
            row.get(ATTEMPT),
            row.get(LEASE_GENERATION),
            owner,
            row.get(SCOPE_GENERATION),
            store.epoch());
    return new ClaimedWork(
        claim,
        new ActivityId(row.get(ACTIVITY_ID)),
        row.get(NAME),
        row.get(VERSION),
        new Payload(row.get(FORMAT), row.get(PAYLOAD), row.get(SHA256)),
        ProviderSafety.valueOf(row.get(SAFETY).name()),
        new LeasePolicy(row.get(LEASE), row.get(LIFETIME)),
        row.get(REMAINING));
  }
}
