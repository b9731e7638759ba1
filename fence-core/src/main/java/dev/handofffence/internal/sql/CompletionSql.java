package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Sequences.WORK_HISTORY_ENTRY;
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
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.EncodedResult;
import dev.handofffence.internal.claim.ExitKind;
import dev.handofffence.internal.state.WorkTransition;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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

  private static final Field<String> FORMAT =
      HeldRows.numbered(FORMATS, SQLDataType.CLOB).as("format");
  private static final Field<byte[]> RESULT =
      HeldRows.numbered(RESULTS, SQLDataType.BLOB).as("result");
  private static final Field<String> PERMIT_STATE =
      HeldRows.numbered(PERMIT_STATES, SQLDataType.CLOB);
  private static final Field<String> CODE = HeldRows.numbered(CODES, SQLDataType.CLOB);

  private static final Field<Instant> NEXT_DUE = Policies.retryDueAfter(Times.AT);
  private static final Field<Instant> DUE_AT =
      DSL.field(name("retried", "next_due"), SQLDataType.INSTANT);

  private static final Table<?> HELD = HeldRows.OF_WORK_AND_PERMIT.table();

  private static final BatchTrip SUCCEED = trip(succeed());
  private static final BatchTrip RETRY = trip(retry());

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

  private static BatchTrip trip(Statement complete) {
    return BatchTrip.durable(HeldRows.OF_WORK_AND_PERMIT.lock(), complete);
  }

  private static CompletionBatch send(
      Connection connection, BatchTrip trip, StoreIdentity store, List<Completion> completions)
      throws SQLException {
    Batch<Completion> batch = Batch.ofClaims(completions, Completion::claim);
    BatchTrip.Reply reply = trip.send(connection, store, batch, binds(batch));
    return new CompletionBatch(
        reply.store(),
        reply.results().get(0).map(row -> batch.numbered(row.get(0, Integer.class))));
  }

  private static Statement succeed() {
    return Statement.ofRows(
        with(
                Times.SAMPLED,
                moveToSucceeded(),
                settle("succeeded", inline(PermitState.APPLIED, PERMIT.STATE.getDataType())),
                remove(),
                store())
            .select(column("succeeded", HeldRows.NUMBER))
            .from(step("succeeded")));
  }

  private static CommonTableExpression<?> moveToSucceeded() {
    return name("succeeded")
        .as(
            update(WORK)
                .set(WORK.STATE, States.to(WorkTransition.SUCCEED))
                .set(WORK.LEASE_OWNER, inline(null, WORK.LEASE_OWNER))
                .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
                .from(HELD, Times.SAMPLED, SCOPE, DISPATCH, PERMIT)
                .where(claimHasItsPermit(WorkTransition.SUCCEED))
                .returning(
                    HistorySql.moved(
                        HeldRows.NUMBER,
                        HeldRows.DISPATCH_AT,
                        HeldRows.PERMIT_AT,
                        FORMAT,
                        RESULT)));
  }

  /** The result is also the history's entry of this transition. */
  private static CommonTableExpression<?> store() {
    return name("stored")
        .as(
            insertInto(
                    WORK_RESULT,
                    WORK_RESULT.ENTRY,
                    WORK_RESULT.SCOPE_ID,
                    WORK_RESULT.WORK_ID,
                    WORK_RESULT.REVISION,
                    WORK_RESULT.ATTEMPT,
                    WORK_RESULT.LEASE_GENERATION,
                    WORK_RESULT.RESULT_FORMAT,
                    WORK_RESULT.RESULT)
                .select(
                    select(
                            WORK_HISTORY_ENTRY.nextval(),
                            column("succeeded", WORK.SCOPE_ID),
                            column("succeeded", WORK.WORK_ID),
                            column("succeeded", WORK.REVISION),
                            column("succeeded", WORK.ATTEMPT),
                            column("succeeded", WORK.LEASE_GENERATION),
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
                .where(HeldRows.isAt(DISPATCH, HeldRows.of("succeeded", HeldRows.DISPATCH_AT)))
                .returning(DISPATCH.WORK_ID));
  }

  private static Statement retry() {
    return Statement.ofRows(
        with(
                Times.SAMPLED,
                moveToReady(),
                settle(
                    "retried",
                    DSL.field(name("retried", "permit_state"), PERMIT.STATE.getDataType())),
                reschedule(),
                HistorySql.record(
                    WorkTransition.RETRY,
                    "retried",
                    DSL.field(name("retried", "code"), SQLDataType.CLOB),
                    step("retried")))
            .select(column("retried", HeldRows.NUMBER))
            .from(step("retried")));
  }

  private static CommonTableExpression<?> moveToReady() {
    return name("retried")
        .as(
            update(WORK)
                .set(WORK.STATE, States.to(WorkTransition.RETRY))
                .set(WORK.LEASE_OWNER, inline(null, WORK.LEASE_OWNER))
                .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
                .from(HELD, Times.SAMPLED, SCOPE, DISPATCH, PERMIT, WORK_SNAPSHOT)
                .where(claimHasItsPermit(WorkTransition.RETRY))
                .and(WORK.CANCEL_REQUESTED_AT.isNull())
                .and(ClaimKeys.snapshotIsTheWorks())
                .and(nothingWasSent().or(Policies.unknownOutcomeIsRetried()))
                .and(NEXT_DUE.isNotNull())
                .and(Policies.attemptIsAllowedAt(NEXT_DUE))
                .returning(
                    HistorySql.moved(
                        HeldRows.NUMBER,
                        HeldRows.DISPATCH_AT,
                        HeldRows.PERMIT_AT,
                        PERMIT_STATE.as("permit_state"),
                        CODE.as("code"),
                        NEXT_DUE.as("next_due"))));
  }

  private static Condition nothingWasSent() {
    return PERMIT_STATE.eq(inline(text(PermitState.NO_EFFECT)));
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
                .where(HeldRows.isAt(DISPATCH, HeldRows.of("retried", HeldRows.DISPATCH_AT)))
                .returning(DISPATCH.WORK_ID));
  }

  private static Condition claimHasItsPermit(WorkTransition transition) {
    return ClaimKeys.workIsTheClaims()
        .and(States.allow(transition))
        .and(ClaimKeys.leaseIsLive())
        .and(ClaimKeys.scopeIsTheClaims())
        .and(ClaimKeys.storeIsOurs())
        .and(ClaimKeys.permitIsTheClaims());
  }

  private static CommonTableExpression<?> settle(String moved, Field<PermitState> state) {
    return name("settled")
        .as(
            update(PERMIT)
                .set(PERMIT.STATE, state)
                .set(PERMIT.SETTLED_AT, Times.AT)
                .from(Times.SAMPLED, step(moved))
                .where(HeldRows.isAt(PERMIT, HeldRows.of(moved, HeldRows.PERMIT_AT)))
                .returning(PERMIT.WORK_ID));
  }

  private static Binds binds(Batch<Completion> batch) {
    if (batch.values().get(0).kind() == ExitKind.SUCCEEDED) {
      return new Binds()
          .set("formats", batch.array(c -> result(c).format(), new String[0]))
          .set("results", batch.array(c -> result(c).bytes(), new byte[0][]));
    }
    return new Binds()
        .set("permit_states", batch.array(CompletionSql::permitState, new String[0]))
        .set("codes", batch.array(c -> Objects.requireNonNull(c.code()), new String[0]));
  }

  private static EncodedResult result(Completion completion) {
    return Objects.requireNonNull(completion.result());
  }

  private static String permitState(Completion completion) {
    return text(
        completion.kind() == ExitKind.AMBIGUOUS ? PermitState.UNRESOLVED : PermitState.NO_EFFECT);
  }

  private static String text(PermitState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
