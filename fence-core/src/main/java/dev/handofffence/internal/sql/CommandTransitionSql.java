package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_EVENT;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.claim.EncodedResult;
import dev.handofffence.internal.state.WorkFacts;
import dev.handofffence.internal.state.WorkTransition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.SQLDataType;

/**
 * What one command does to one Work whose facts this transaction has locked and read. Each is one
 * trip: permits, the fenced update of the Work, its dispatch row, the history with actor and
 * reason, the memory of the command.
 */
public final class CommandTransitionSql {

  private static final Param<String> SUSPEND_REASON = param("suspend_reason", SQLDataType.CLOB);
  private static final Param<UUID> EPOCH = param("epoch", SQLDataType.UUID);

  private static final Map<Field<?>, Field<?>> NOTHING_ELSE = Map.of();
  private static final Map<Field<?>, Field<?>> CANCEL_REQUESTED =
      Map.of(WORK.CANCEL_REQUESTED_AT, coalesce(WORK.CANCEL_REQUESTED_AT, Times.CLOCK));
  private static final Map<Field<?>, Field<?>> ACTIVE_EPOCH = Map.of(WORK.EPOCH, EPOCH);
  private static final Map<Field<?>, Field<?>> REASON =
      Map.of(WORK.SUSPEND_REASON, SUSPEND_REASON.coerce(WORK.SUSPEND_REASON.getDataType()));

  private static final Statement NO_EFFECT = settle(PermitState.NO_EFFECT, isUnresolved());
  private static final Statement APPLIED =
      settle(PermitState.APPLIED, isUnresolved().and(PERMIT.LEASE_GENERATION.eq(lastUnresolved())));

  private static final Script CANCEL =
      script(
          move(WorkTransition.CANCEL_BY_COMMAND, CANCEL_REQUESTED),
          TransitionSql.remove(),
          WorkTransition.CANCEL_BY_COMMAND.event());
  private static final Script SUSPEND_CANCELED =
      script(
          move(WorkTransition.SUSPEND_BY_COMMAND, both(REASON, CANCEL_REQUESTED)),
          TransitionSql.remove(),
          WorkTransition.SUSPEND_BY_COMMAND.event());
  private static final Script REQUEST_CANCELLATION =
      Script.of(
          requestCancellation(),
          record(WorkTransition.SUSPEND_BY_COMMAND.event()),
          OperatorCommandSql.RECORD_ABOUT_WORK);
  private static final Script SUCCEED =
      Script.of(
          APPLIED,
          move(WorkTransition.SUCCEED_BY_PROOF, NOTHING_ELSE),
          record(WorkTransition.SUCCEED_BY_PROOF.event()),
          OperatorCommandSql.RECORD_ABOUT_WORK);
  private static final Script SUCCEED_WITH_RESULT =
      Script.of(
          APPLIED,
          move(WorkTransition.SUCCEED_BY_PROOF, NOTHING_ELSE),
          TransitionSql.storeWithoutEntry(),
          record(WorkTransition.SUCCEED_BY_PROOF.event()),
          OperatorCommandSql.RECORD_ABOUT_WORK);
  private static final Script CANCEL_PROVEN =
      afterProof(WorkTransition.CANCEL_BY_COMMAND, NOTHING_ELSE);
  private static final Script FAIL_PROVEN = afterProof(WorkTransition.FAIL_BY_PROOF, NOTHING_ELSE);
  private static final Script KEEP_PROVEN = afterProof(WorkTransition.KEEP_BY_PROOF, REASON);
  private static final Script RETRY_PROVEN =
      Script.of(
          NO_EFFECT,
          move(WorkTransition.RETRY_BY_PROOF, ACTIVE_EPOCH),
          dispatch(),
          record(WorkTransition.RETRY_BY_PROOF.event()),
          OperatorCommandSql.RECORD_ABOUT_WORK,
          WakeSql.NOTIFY_IF_IDLE);
  private static final Script RETRY = oneMoreAttempt(WorkTransition.RETRY_BY_COMMAND);
  private static final Script RELEASE = oneMoreAttempt(WorkTransition.RELEASE);
  private static final Script RELEASE_TO_DECISION =
      Script.of(
          move(WorkTransition.RELEASE_TO_DECISION, both(ACTIVE_EPOCH, REASON)),
          record(WorkTransition.RELEASE_TO_DECISION.event()),
          OperatorCommandSql.RECORD_ABOUT_WORK);

  private final CommandRecord command;
  private final WorkFacts facts;

  /** Speaks for the Work that was locked with these facts. */
  public CommandTransitionSql(CommandRecord command, WorkFacts facts) {
    this.command = command;
    this.facts = facts;
  }

  public void cancel(Connection connection, String outcome) throws SQLException {
    send(connection, CANCEL, outcome, new Binds());
  }

  /** Records the request beside the state, which stays. */
  public void requestCancellation(Connection connection, String outcome) throws SQLException {
    send(connection, REQUEST_CANCELLATION, outcome, new Binds());
  }

  /** Takes it out of the executor's hands: it would like to be canceled, and must not be. */
  public void suspendCanceled(Connection connection, String outcome, SuspendReason reason)
      throws SQLException {
    send(connection, SUSPEND_CANCELED, outcome, reason(reason));
  }

  public void succeed(Connection connection, String outcome) throws SQLException {
    send(connection, SUCCEED, outcome, new Binds());
  }

  public void succeed(Connection connection, String outcome, EncodedResult result)
      throws SQLException {
    Binds binds = new Binds().set("format", result.format()).set("result", result.bytes());
    send(connection, SUCCEED_WITH_RESULT, outcome, binds);
  }

  public void retryProven(Connection connection, String outcome, UUID epoch) throws SQLException {
    send(connection, RETRY_PROVEN, outcome, new Binds().set("epoch", epoch));
  }

  public void failProven(Connection connection, String outcome) throws SQLException {
    send(connection, FAIL_PROVEN, outcome, new Binds());
  }

  public void cancelProven(Connection connection, String outcome) throws SQLException {
    send(connection, CANCEL_PROVEN, outcome, new Binds());
  }

  /** Keeps it suspended, for this reason from now on. */
  public void keepProven(Connection connection, String outcome, SuspendReason reason)
      throws SQLException {
    send(connection, KEEP_PROVEN, outcome, reason(reason));
  }

  /** Allows one attempt more when the policy's are used up. */
  public void retry(Connection connection, String outcome, UUID epoch) throws SQLException {
    send(connection, RETRY, outcome, new Binds().set("epoch", epoch));
  }

  public void release(Connection connection, String outcome, UUID epoch) throws SQLException {
    send(connection, RELEASE, outcome, new Binds().set("epoch", epoch));
  }

  /** Keeps it suspended, for this reason from now on. */
  public void releaseToDecision(
      Connection connection, String outcome, UUID epoch, SuspendReason reason) throws SQLException {
    send(connection, RELEASE_TO_DECISION, outcome, reason(reason).set("epoch", epoch));
  }

  private void send(Connection connection, Script script, String outcome, Binds more)
      throws SQLException {
    Binds binds =
        OperatorCommandSql.binds(command)
            .set(OperatorCommandSql.OUTCOME, outcome)
            .set("revision", facts.revision())
            .set("attempt", facts.attempt())
            .set("lease_generation", facts.leaseGeneration())
            .setAll(more);
    List<Rows> moved = new RoundTrip().add(script, binds).send(connection, null);
    if (moved.get(0).size() != 1) {
      // The row was locked and read by this transaction, so only a mistake of ours can lead here.
      throw new IllegalStateException("A judged command did not apply to its locked Work");
    }
  }

  private static Binds reason(SuspendReason reason) {
    return new Binds().set("suspend_reason", reason.name().toLowerCase(Locale.ROOT));
  }

  private static Script script(Statement move, Statement dispatch, String event) {
    return Script.of(move, dispatch, record(event), OperatorCommandSql.RECORD_ABOUT_WORK);
  }

  /** It may be due at once, like a new one. */
  private static Script oneMoreAttempt(WorkTransition transition) {
    return Script.of(
        move(transition, both(ACTIVE_EPOCH, oneMoreAttempt())),
        dispatch(),
        record(transition.event()),
        OperatorCommandSql.RECORD_ABOUT_WORK,
        WakeSql.NOTIFY_IF_IDLE);
  }

  private static Script afterProof(WorkTransition transition, Map<Field<?>, Field<?>> changes) {
    return Script.of(
        NO_EFFECT,
        move(transition, changes),
        record(transition.event()),
        OperatorCommandSql.RECORD_ABOUT_WORK);
  }

  private static Statement move(WorkTransition transition, Map<Field<?>, Field<?>> changes) {
    return TransitionSql.move(transition, changes);
  }

  private static Statement requestCancellation() {
    return Statement.ofRows(
        update(WORK)
            .set(CANCEL_REQUESTED)
            .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
            .where(TransitionSql.workIsAsRead())
            .and(States.is(WorkState.PERMITTED).or(States.is(WorkState.SUSPENDED)))
            .returning(WORK.REVISION));
  }

  /** The policy's attempts may be used up; the numbers go on. */
  private static Map<Field<?>, Field<?>> oneMoreAttempt() {
    Field<Integer> policys =
        select(WORK_SNAPSHOT.MAX_ATTEMPTS)
            .from(WORK_SNAPSHOT)
            .where(Policies.snapshotIsTheWorks())
            .asField();
    return Map.of(WORK.EXTRA_ATTEMPTS, Policies.roomForOneMoreAttempt(policys));
  }

  private static Map<Field<?>, Field<?>> both(
      Map<Field<?>, Field<?>> some, Map<Field<?>, Field<?>> others) {
    Map<Field<?>, Field<?>> all = new HashMap<>(some);
    all.putAll(others);
    return all;
  }

  private static Condition isUnresolved() {
    return PermitSql.isOpen()
        .or(PERMIT.STATE.eq(inline(PermitState.UNRESOLVED, PERMIT.STATE.getDataType())));
  }

  private static Field<Long> lastUnresolved() {
    return select(max(PERMIT.LEASE_GENERATION))
        .from(PERMIT)
        .where(PERMIT.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
        .and(PERMIT.WORK_ID.eq(FactsSql.WORK_ID_PARAM))
        .and(isUnresolved())
        .asField();
  }

  private static Statement settle(PermitState state, Condition which) {
    return Statement.of(
        update(PERMIT)
            .set(PERMIT.STATE, inline(state, PERMIT.STATE.getDataType()))
            .set(PERMIT.SETTLED_AT, Times.CLOCK)
            .where(PERMIT.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
            .and(PERMIT.WORK_ID.eq(FactsSql.WORK_ID_PARAM))
            .and(which));
  }

  private static Statement dispatch() {
    return Statement.of(
        with(Times.SAMPLED)
            .insertInto(
                DISPATCH,
                DISPATCH.SCOPE_ID,
                DISPATCH.WORK_ID,
                DISPATCH.CONTRACT_NAME,
                DISPATCH.CONTRACT_VERSION,
                DISPATCH.PRIORITY,
                DISPATCH.DUE_AT,
                DISPATCH.LEASE_GENERATION)
            .select(
                select(
                        WORK.SCOPE_ID,
                        WORK.WORK_ID,
                        WORK_SNAPSHOT.CONTRACT_NAME,
                        WORK_SNAPSHOT.CONTRACT_VERSION,
                        WORK_SNAPSHOT.PRIORITY,
                        Policies.dueByCommand(Times.AT),
                        WORK.LEASE_GENERATION)
                    .from(Times.SAMPLED, WORK, WORK_SNAPSHOT)
                    .where(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                    .and(WORK.WORK_ID.eq(FactsSql.WORK_ID_PARAM))
                    .and(Policies.snapshotIsTheWorks())));
  }

  /** From the Work as it is by now: after the transition. */
  private static Statement record(String event) {
    return Statement.of(
        insertInto(WORK_EVENT)
            .columns(HistorySql.COMMAND_COLUMNS)
            .select(
                select(
                        WORK.SCOPE_ID,
                        WORK.WORK_ID,
                        inline(event),
                        WORK.REVISION,
                        WORK.STATE,
                        WORK.SUSPEND_REASON,
                        WORK.ATTEMPT,
                        WORK.LEASE_GENERATION,
                        OperatorCommandSql.KIND_PARAM,
                        OperatorCommandSql.ACTOR_PARAM,
                        OperatorCommandSql.REASON_PARAM)
                    .from(WORK)
                    .where(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                    .and(WORK.WORK_ID.eq(FactsSql.WORK_ID_PARAM))));
  }
}
