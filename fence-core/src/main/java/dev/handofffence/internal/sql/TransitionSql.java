package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Sequences.WORK_HISTORY_ENTRY;
import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_EVENT;
import static dev.handofffence.generated.Tables.WORK_RESULT;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static dev.handofffence.internal.sql.Existence.notExists;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.EncodedResult;
import dev.handofffence.internal.state.WorkFacts;
import dev.handofffence.internal.state.WorkTransition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * One transition of one Work, whose facts this transaction has locked and read. Each is one trip:
 * the permit, the fenced update of the Work, its dispatch row, the history.
 */
public final class TransitionSql {

  private static final Param<Long> REVISION = param("revision", SQLDataType.BIGINT);
  private static final Param<Integer> ATTEMPT = param("attempt", SQLDataType.INTEGER);
  private static final Param<Long> LEASE_GENERATION = param("lease_generation", SQLDataType.BIGINT);
  private static final Param<String> CODE = param("code", SQLDataType.CLOB);
  private static final Param<String> SUSPEND_REASON = param("suspend_reason", SQLDataType.CLOB);
  private static final Param<String> PERMIT_STATE = param("permit_state", SQLDataType.CLOB);
  private static final Param<String> FORMAT = param("format", SQLDataType.CLOB);
  private static final Param<byte[]> RESULT = param("result", SQLDataType.BLOB);

  private static final Script SETTLE = Script.of(settle());
  private static final Script SUSPEND =
      Script.of(
          move(WorkTransition.SUSPEND, suspendReason()), remove(), record(WorkTransition.SUSPEND));
  private static final Script FAIL = end(WorkTransition.FAIL);
  private static final Script CANCEL = end(WorkTransition.CANCEL);
  private static final Script SUCCEED =
      Script.of(move(WorkTransition.SUCCEED, noReason()), remove(), storeWithEntry());
  private static final Script RETRY =
      Script.of(move(WorkTransition.RETRY, noReason()), reschedule(), record(WorkTransition.RETRY));
  private static final Script QUARANTINE = Script.of(quarantine());

  private final ScopeId scope;
  private final WorkId workId;
  private final WorkFacts facts;

  /** Speaks for the Work that was locked with these facts. */
  public TransitionSql(ScopeId scope, WorkId workId, WorkFacts facts) {
    this.scope = scope;
    this.workId = workId;
    this.facts = facts;
  }

  /** Settles the permit of the current lease generation; does nothing when none is open. */
  public void settlePermit(Connection connection, PermitState state) throws SQLException {
    new RoundTrip().add(SETTLE, binds().set("permit_state", text(state))).send(connection, null);
  }

  public void suspend(Connection connection, SuspendReason reason, String code)
      throws SQLException {
    send(connection, SUSPEND, binds().set("suspend_reason", text(reason)).set("code", code));
  }

  public void fail(Connection connection, String code) throws SQLException {
    send(connection, FAIL, binds().set("code", code));
  }

  public void cancel(Connection connection, String code) throws SQLException {
    send(connection, CANCEL, binds().set("code", code));
  }

  public void retry(Connection connection, String code) throws SQLException {
    send(connection, RETRY, binds().set("code", code));
  }

  public void succeed(Connection connection, EncodedResult result) throws SQLException {
    send(connection, SUCCEED, binds().set("format", result.format()).set("result", result.bytes()));
  }

  /** Keeps a late report beside the Work, which stays as it is. */
  public void quarantine(Connection connection, Claim late, String code) throws SQLException {
    Binds binds =
        binds()
            .set("attempt", late.attempt())
            .set("lease_generation", late.leaseGeneration())
            .set("code", code);
    new RoundTrip().add(QUARANTINE, binds).send(connection, null);
  }

  private void send(Connection connection, Script script, Binds binds) throws SQLException {
    List<Rows> moved = new RoundTrip().add(script, binds).send(connection, null);
    if (moved.get(0).size() != 1) {
      // The row was locked and read by this transaction, so only a mistake of ours can lead here.
      throw new IllegalStateException("A judged transition did not apply to its locked Work");
    }
  }

  private Binds binds() {
    return new Binds()
        .set(ScopeSql.SCOPE_ID, scope.value())
        .set(FactsSql.WORK_ID, workId.value())
        .set("revision", facts.revision())
        .set("attempt", facts.attempt())
        .set("lease_generation", facts.leaseGeneration());
  }

  private static Script end(WorkTransition transition) {
    return Script.of(move(transition, noReason()), remove(), record(transition));
  }

  private static Statement move(WorkTransition transition, Field<SuspendReason> reason) {
    return move(transition, Map.of(WORK.SUSPEND_REASON, reason));
  }

  /** Clears owner and suspend reason, unless the changes say otherwise. */
  static Statement move(WorkTransition transition, Map<Field<?>, Field<?>> changes) {
    Map<Field<?>, Field<?>> all = new HashMap<>(changes);
    all.putIfAbsent(WORK.SUSPEND_REASON, noReason());
    return Statement.ofRows(
        update(WORK)
            .set(WORK.STATE, States.to(transition))
            .set(all)
            .set(WORK.LEASE_OWNER, inline(null, WORK.LEASE_OWNER))
            .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
            .where(workIsAsRead())
            .and(States.allow(transition))
            .and(transition.provesNoEffect() ? everyPermitHadNoEffect() : DSL.noCondition())
            .returning(WORK.REVISION));
  }

  /** The row whose facts this transaction has locked and read. */
  static Condition workIsAsRead() {
    return WORK.SCOPE_ID
        .eq(ScopeSql.SCOPE_ID_PARAM)
        .and(WORK.WORK_ID.eq(FactsSql.WORK_ID_PARAM))
        .and(WORK.REVISION.eq(REVISION))
        .and(WORK.ATTEMPT.eq(ATTEMPT))
        .and(WORK.LEASE_GENERATION.eq(LEASE_GENERATION));
  }

  private static Condition everyPermitHadNoEffect() {
    return notExists(
        selectOne()
            .from(PERMIT)
            .where(PERMIT.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
            .and(PERMIT.WORK_ID.eq(FactsSql.WORK_ID_PARAM))
            .and(PERMIT.STATE.ne(inline(PermitState.NO_EFFECT, PERMIT.STATE.getDataType()))));
  }

  private static Field<SuspendReason> suspendReason() {
    return SUSPEND_REASON.coerce(WORK.SUSPEND_REASON.getDataType());
  }

  private static Field<SuspendReason> noReason() {
    return inline(null, WORK.SUSPEND_REASON);
  }

  private static Statement settle() {
    return Statement.of(
        update(PERMIT)
            .set(PERMIT.STATE, PERMIT_STATE.coerce(PERMIT.STATE.getDataType()))
            .set(PERMIT.SETTLED_AT, Times.CLOCK)
            .where(PERMIT.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
            .and(PERMIT.WORK_ID.eq(FactsSql.WORK_ID_PARAM))
            .and(PERMIT.LEASE_GENERATION.eq(LEASE_GENERATION))
            .and(PermitSql.isOpen()));
  }

  static Statement remove() {
    return Statement.of(
        deleteFrom(DISPATCH)
            .where(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
            .and(DISPATCH.WORK_ID.eq(FactsSql.WORK_ID_PARAM)));
  }

  private static Statement reschedule() {
    return Statement.of(
        with(Times.SAMPLED)
            .update(DISPATCH)
            .set(DISPATCH.DUE_AT, Policies.retryDueAfter(Times.AT))
            .set(DISPATCH.LEASE_OWNER, inline(null, DISPATCH.LEASE_OWNER))
            .set(DISPATCH.LEASED_AT, inline(null, DISPATCH.LEASED_AT))
            .set(DISPATCH.LEASE_EXPIRES_AT, inline(null, DISPATCH.LEASE_EXPIRES_AT))
            .from(Times.SAMPLED, WORK, WORK_SNAPSHOT)
            .where(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
            .and(DISPATCH.WORK_ID.eq(FactsSql.WORK_ID_PARAM))
            .and(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
            .and(WORK.WORK_ID.eq(FactsSql.WORK_ID_PARAM))
            .and(Policies.snapshotIsTheWorks()));
  }

  /** Of the Work as it is by now: the result is also the history's entry of its success. */
  private static Statement storeWithEntry() {
    return Statement.of(
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
                        WORK.SCOPE_ID,
                        WORK.WORK_ID,
                        WORK.REVISION,
                        WORK.ATTEMPT,
                        WORK.LEASE_GENERATION,
                        FORMAT,
                        RESULT)
                    .from(WORK)
                    .where(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                    .and(WORK.WORK_ID.eq(FactsSql.WORK_ID_PARAM))));
  }

  /** Without an entry: that of the proof says more. */
  static Statement storeWithoutEntry() {
    return Statement.of(
        insertInto(
                WORK_RESULT,
                WORK_RESULT.SCOPE_ID,
                WORK_RESULT.WORK_ID,
                WORK_RESULT.RESULT_FORMAT,
                WORK_RESULT.RESULT)
            .values(ScopeSql.SCOPE_ID_PARAM, FactsSql.WORK_ID_PARAM, FORMAT, RESULT));
  }

  /** From the Work as it is by now: after the transition. */
  private static Statement record(WorkTransition transition) {
    return history(inline(transition.event()), WORK.ATTEMPT, WORK.LEASE_GENERATION, CODE);
  }

  private static Statement quarantine() {
    return history(inline("quarantined"), ATTEMPT, LEASE_GENERATION, CODE);
  }

  private static Statement history(
      Field<String> event,
      Field<Integer> attempt,
      Field<Long> leaseGeneration,
      Field<String> code) {
    return Statement.of(
        insertInto(
                WORK_EVENT,
                WORK_EVENT.SCOPE_ID,
                WORK_EVENT.WORK_ID,
                WORK_EVENT.EVENT,
                WORK_EVENT.REVISION,
                WORK_EVENT.STATE,
                WORK_EVENT.SUSPEND_REASON,
                WORK_EVENT.ATTEMPT,
                WORK_EVENT.LEASE_GENERATION,
                WORK_EVENT.CODE)
            .select(
                select(
                        WORK.SCOPE_ID,
                        WORK.WORK_ID,
                        event,
                        WORK.REVISION,
                        WORK.STATE,
                        WORK.SUSPEND_REASON,
                        attempt,
                        leaseGeneration,
                        code)
                    .from(WORK)
                    .where(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                    .and(WORK.WORK_ID.eq(FactsSql.WORK_ID_PARAM))));
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
