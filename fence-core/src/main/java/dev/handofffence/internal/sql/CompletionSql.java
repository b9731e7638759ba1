package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_RESULT;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static dev.handofffence.internal.sql.Columns.column;
import static dev.handofffence.internal.sql.Columns.step;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.handofffence.StoreIdentity;
import dev.handofffence.generated.type.PermitState;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.EncodedResult;
import dev.handofffence.internal.claim.ExitKind;
import dev.handofffence.internal.state.WorkTransition;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Completes many attempts in one durable commit: the two plain endings, success and another
 * attempt. Whatever is not plain is left alone, to be judged one by one.
 */
public final class CompletionSql {

  private static final Param<String[]> FORMATS = param("formats", SQLDataType.CLOB.array());
  private static final Param<byte[][]> RESULTS = param("results", SQLDataType.BLOB.array());
  private static final Param<String[]> PERMIT_STATES =
      param("permit_states", SQLDataType.CLOB.array());
  private static final Param<String[]> CODES = param("codes", SQLDataType.CLOB.array());

  private static final Table<?> SUCCESSES =
      DSL.table(
              "unnest({0}, {1}, {2}, {3}, {4}, {5})",
              WorkLocks.WORK_IDS_PARAM,
              ClaimKeys.ATTEMPTS_PARAM,
              ClaimKeys.LEASE_GENERATIONS_PARAM,
              ClaimKeys.SCOPE_GENERATIONS_PARAM,
              FORMATS,
              RESULTS)
          .as(
              "given",
              "work_id",
              "attempt",
              "lease_generation",
              "scope_generation",
              "format",
              "result");

  private static final Field<String> FORMAT = ClaimKeys.column("format", SQLDataType.CLOB);
  private static final Field<byte[]> RESULT = ClaimKeys.column("result", SQLDataType.BLOB);

  private static final Table<?> REPEATS =
      DSL.table(
              "unnest({0}, {1}, {2}, {3}, {4}, {5})",
              WorkLocks.WORK_IDS_PARAM,
              ClaimKeys.ATTEMPTS_PARAM,
              ClaimKeys.LEASE_GENERATIONS_PARAM,
              ClaimKeys.SCOPE_GENERATIONS_PARAM,
              PERMIT_STATES,
              CODES)
          .as(
              "given",
              "work_id",
              "attempt",
              "lease_generation",
              "scope_generation",
              "permit_state",
              "code");

  private static final Field<PermitState> PERMIT_STATE =
      ClaimKeys.column("permit_state", PERMIT.STATE.getDataType());
  private static final Field<String> CODE = ClaimKeys.column("code", SQLDataType.CLOB);

  private static final Field<Instant> NEXT_DUE = Policies.retryDueAfter(Times.AT);
  private static final Field<Instant> DUE_AT =
      DSL.field(name("retried", "next_due"), SQLDataType.INSTANT);

  private static final ScopesTrip SUCCEED = trip(succeed());
  private static final ScopesTrip RETRY = trip(retry());

  private CompletionSql() {}

  /** Records successes, on a connection in autocommit mode. */
  public static CompletionBatch succeed(
      Connection connection, StoreIdentity store, List<Completion> successes) throws SQLException {
    return send(connection, SUCCEED, store, successes);
  }

  /**
   * Schedules another attempt for exits that ask for it, or whose provider safety allows it, on a
   * connection in autocommit mode.
   */
  public static CompletionBatch retry(
      Connection connection, StoreIdentity store, List<Completion> repeats) throws SQLException {
    return send(connection, RETRY, store, repeats);
  }

  /**
   * What a trip completed.
   *
   * @param store judge it first: nothing was completed in another store or epoch
   * @param completed the others need to be judged one by one
   */
  public record CompletionBatch(@Nullable StoreRow store, List<Completion> completed) {}

  private static ScopesTrip trip(Statement complete) {
    return new ScopesTrip(
        StoreSql.DURABLE_PRELUDE,
        Script.of(
            WorkLocks.BIND_AND_TRY_LOCK_SCOPE,
            WorkLocks.LOCK_WORKS,
            WorkLocks.LOCK_DISPATCH,
            WorkLocks.LOCK_PERMITS,
            complete));
  }

  private static CompletionBatch send(
      Connection connection, ScopesTrip trip, StoreIdentity store, List<Completion> completions)
      throws SQLException {
    List<List<Completion>> scopes = ScopesTrip.byScope(completions, c -> c.claim().scope());
    List<Binds> binds = scopes.stream().map(group -> binds(store, group)).toList();
    ScopesTrip.Reply reply = trip.send(connection, binds);
    List<Completion> completed = new ArrayList<>();
    for (int i = 0; i < scopes.size(); i++) {
      Set<UUID> ids = reply.scopes().get(i).get(0).intoSet(0, UUID.class);
      scopes.get(i).stream()
          .filter(c -> ids.contains(c.claim().workId().value()))
          .forEach(completed::add);
    }
    return new CompletionBatch(reply.store(), completed);
  }

  private static Statement succeed() {
    return Statement.ofRows(
        with(
                Times.SAMPLED,
                moveToSucceeded(),
                settle("succeeded", inline(PermitState.APPLIED, PERMIT.STATE.getDataType())),
                remove(),
                store(),
                HistorySql.record(
                    WorkTransition.SUCCEED,
                    "succeeded",
                    inline(null, SQLDataType.CLOB),
                    step("succeeded")))
            .select(column("succeeded", WORK.WORK_ID))
            .from(step("succeeded")));
  }

  private static CommonTableExpression<?> moveToSucceeded() {
    return name("succeeded")
        .as(
            update(WORK)
                .set(WORK.STATE, States.to(WorkTransition.SUCCEED))
                .set(WORK.LEASE_OWNER, inline(null, WORK.LEASE_OWNER))
                .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
                .from(SUCCESSES, Times.SAMPLED, SCOPE, DISPATCH, PERMIT)
                .where(claimHasItsPermit(WorkTransition.SUCCEED))
                .returning(
                    WORK.WORK_ID,
                    WORK.REVISION,
                    WORK.ATTEMPT,
                    WORK.LEASE_GENERATION,
                    FORMAT,
                    RESULT));
  }

  private static CommonTableExpression<?> store() {
    return name("stored")
        .as(
            insertInto(
                    WORK_RESULT,
                    WORK_RESULT.SCOPE_ID,
                    WORK_RESULT.WORK_ID,
                    WORK_RESULT.RESULT_FORMAT,
                    WORK_RESULT.RESULT)
                .select(
                    select(
                            ScopeSql.SCOPE_ID_PARAM,
                            column("succeeded", WORK.WORK_ID),
                            DSL.field(name("succeeded", "format"), SQLDataType.CLOB),
                            DSL.field(name("succeeded", "result"), SQLDataType.BLOB))
                        .from(step("succeeded")))
                .returning(WORK_RESULT.WORK_ID));
  }

  private static CommonTableExpression<?> remove() {
    return name("removed")
        .as(
            deleteFrom(DISPATCH)
                .using(step("succeeded"))
                .where(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(DISPATCH.WORK_ID.eq(column("succeeded", WORK.WORK_ID)))
                .returning(DISPATCH.WORK_ID));
  }

  private static Statement retry() {
    return Statement.ofRows(
        with(
                Times.SAMPLED,
                moveToReady(),
                settle("retried", column("retried", PERMIT_STATE)),
                reschedule(),
                HistorySql.record(
                    WorkTransition.RETRY, "retried", column("retried", CODE), step("retried")))
            .select(column("retried", WORK.WORK_ID))
            .from(step("retried")));
  }

  private static CommonTableExpression<?> moveToReady() {
    return name("retried")
        .as(
            update(WORK)
                .set(WORK.STATE, States.to(WorkTransition.RETRY))
                .set(WORK.LEASE_OWNER, inline(null, WORK.LEASE_OWNER))
                .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
                .from(REPEATS, Times.SAMPLED, SCOPE, DISPATCH, PERMIT, WORK_SNAPSHOT)
                .where(claimHasItsPermit(WorkTransition.RETRY))
                .and(WORK.CANCEL_REQUESTED_AT.isNull())
                .and(Policies.snapshotIsTheWorks())
                .and(nothingWasSent().or(Policies.unknownOutcomeIsRetried()))
                .and(NEXT_DUE.isNotNull())
                .and(Policies.attemptIsAllowedAt(NEXT_DUE))
                .returning(
                    WORK.WORK_ID,
                    WORK.REVISION,
                    WORK.ATTEMPT,
                    WORK.LEASE_GENERATION,
                    PERMIT_STATE,
                    CODE,
                    NEXT_DUE.as("next_due")));
  }

  private static Condition nothingWasSent() {
    return PERMIT_STATE.eq(inline(PermitState.NO_EFFECT, PERMIT.STATE.getDataType()));
  }

  private static CommonTableExpression<?> reschedule() {
    return name("rescheduled")
        .as(
            update(DISPATCH)
                .set(DISPATCH.DUE_AT, DUE_AT)
                .set(DISPATCH.LEASE_OWNER, inline(null, DISPATCH.LEASE_OWNER))
                .set(DISPATCH.LEASED_AT, inline(null, DISPATCH.LEASED_AT))
                .set(DISPATCH.LEASE_EXPIRES_AT, inline(null, DISPATCH.LEASE_EXPIRES_AT))
                .from(step("retried"))
                .where(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(DISPATCH.WORK_ID.eq(column("retried", WORK.WORK_ID)))
                .returning(DISPATCH.WORK_ID));
  }

  private static Condition claimHasItsPermit(WorkTransition transition) {
    return ClaimKeys.workIsTheClaims()
        .and(States.allow(transition))
        .and(ClaimKeys.leaseIsLive())
        .and(ClaimKeys.scopeIsTheClaims())
        .and(ClaimKeys.storeIsOurs())
        .and(PERMIT.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
        .and(PERMIT.WORK_ID.eq(ClaimKeys.WORK_ID))
        .and(PERMIT.LEASE_GENERATION.eq(ClaimKeys.LEASE_GENERATION))
        .and(PERMIT.ATTEMPT.eq(ClaimKeys.ATTEMPT))
        .and(PERMIT.LEASE_OWNER.eq(ClaimKeys.OWNER_PARAM))
        .and(PERMIT.SCOPE_GENERATION.eq(ClaimKeys.SCOPE_GENERATION))
        .and(PERMIT.EPOCH.eq(ClaimKeys.EPOCH_PARAM))
        .and(PERMIT.STATE.eq(inline(PermitState.ADMITTED, PERMIT.STATE.getDataType())));
  }

  private static CommonTableExpression<?> settle(String moved, Field<PermitState> state) {
    return name("settled")
        .as(
            update(PERMIT)
                .set(PERMIT.STATE, state)
                .set(PERMIT.SETTLED_AT, Times.AT)
                .from(Times.SAMPLED, step(moved))
                .where(PERMIT.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(PERMIT.WORK_ID.eq(column(moved, WORK.WORK_ID)))
                .and(PERMIT.LEASE_GENERATION.eq(column(moved, WORK.LEASE_GENERATION)))
                .returning(PERMIT.WORK_ID));
  }

  private static Binds binds(StoreIdentity store, List<Completion> group) {
    List<Claim> claims = group.stream().map(Completion::claim).toList();
    Binds binds = ClaimKeys.binds(store, claims);
    if (group.get(0).kind() == ExitKind.SUCCEEDED) {
      return binds
          .set("formats", ClaimKeys.array(group, c -> result(c).format(), new String[0]))
          .set("results", ClaimKeys.array(group, c -> result(c).bytes(), new byte[0][]));
    }
    return binds
        .set("permit_states", ClaimKeys.array(group, CompletionSql::permitState, new String[0]))
        .set("codes", ClaimKeys.array(group, c -> Objects.requireNonNull(c.code()), new String[0]));
  }

  private static EncodedResult result(Completion completion) {
    return Objects.requireNonNull(completion.result());
  }

  private static String permitState(Completion completion) {
    PermitState state =
        completion.kind() == ExitKind.AMBIGUOUS ? PermitState.UNRESOLVED : PermitState.NO_EFFECT;
    return state.name().toLowerCase(Locale.ROOT);
  }
}
