package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static dev.handofffence.internal.sql.Columns.column;
import static dev.handofffence.internal.sql.Columns.step;
import static dev.handofffence.internal.sql.Existence.exists;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.DSL.with;

import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.ProviderSafety;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.state.WorkTransition;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record1;
import org.jooq.SelectConditionStep;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Takes a batch of a scope's Work over into the active epoch: what runs or waits by changing its
 * epoch alone, so that leases end and recovery decides as always, and likewise what waits for a
 * decision; what was suspended for its epoch by making it runnable, or a decision, where an effect
 * may have happened.
 */
public final class ReleaseEpochSql {

  private static final Param<UUID> EPOCH = param("epoch", SQLDataType.UUID);
  private static final Param<Integer> LIMIT = param("limit", SQLDataType.INTEGER);

  private static final Condition IS_OF_ANOTHER_EPOCH =
      WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM).and(WORK.EPOCH.ne(EPOCH));
  private static final Condition IS_HELD_UP =
      WORK.SUSPEND_REASON.eq(
          inline(SuspendReason.EPOCH_CHANGED, WORK.SUSPEND_REASON.getDataType()));

  /** Waits for a decision, which a reconciler may make only of the active epoch's Work. */
  private static final Condition IS_IN_DOUBT =
      WORK.SUSPEND_REASON.in(
          inline(SuspendReason.RECONCILIATION_REQUIRED, WORK.SUSPEND_REASON.getDataType()),
          inline(SuspendReason.AMBIGUOUS_OUTCOME, WORK.SUSPEND_REASON.getDataType()));

  /** Goes on by itself, because the executor's own rules allow it. */
  private static final Condition GOES_ON =
      Policies.unknownOutcomeIsRetried()
          .orNot(
              exists(
                  selectOne()
                      .from(PERMIT)
                      .where(PERMIT.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                      .and(PERMIT.WORK_ID.eq(WORK.WORK_ID))
                      .and(
                          PERMIT.STATE.ne(
                              inline(PermitState.NO_EFFECT, PERMIT.STATE.getDataType())))));

  private static final Script LOCK_AND_READ =
      Script.of(
          StoreSql.LOCK_EPOCH_SHARED,
          StoreSql.READ_STORE,
          ScopeSql.BIND_SCOPE,
          ScopeSql.LOCK_SCOPE_SHARED,
          OperatorCommandSql.READ,
          ScopeSql.READ_SCOPE);

  private static final Field<Integer> CHANGED = count().as("changed");

  private static final Script RELEASE =
      Script.of(
          WorkLocks.keep(
              select(WORK.WORK_ID)
                  .from(WORK)
                  .where(
                      WORK.WORK_ID.in(
                          dispatched().unionAll(suspended()).orderBy(inline(1)).limit(LIMIT)))
                  .and(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                  .orderBy(WORK.WORK_ID)
                  .forNoKeyUpdate()),
          WorkLocks.READ_LOCKED,
          takeOver(),
          release(),
          WakeSql.NOTIFY_IF_IDLE);
  private static final Script RECORD = Script.of(OperatorCommandSql.RECORD_ABOUT_SCOPE);

  private ReleaseEpochSql() {}

  /** Locks the scope in an open transaction, and reads what the command is judged by. */
  public static Locked lock(Connection connection, CommandRecord command, Duration patience)
      throws SQLException {
    List<Rows> results =
        new RoundTrip()
            .add(FactsSql.BEGIN, FactsSql.patience(patience))
            .add(LOCK_AND_READ, OperatorCommandSql.binds(command))
            .send(connection, null);
    Rows scope = results.get(2);
    return new Locked(
        StoreSql.store(results.get(0)),
        OperatorCommandSql.performed(results.get(1)),
        scope.isEmpty() ? null : scope.get(0).get(SCOPE.STATE));
  }

  /**
   * What was locked.
   *
   * @param store judge it first
   * @param state null when there is no such scope
   */
  public record Locked(
      @Nullable StoreRow store, @Nullable PerformedCommand performed, @Nullable ScopeState state) {}

  /**
   * Releases the next Works of the locked scope. What ended while its lock was waited for stays as
   * it is.
   */
  public static Released release(
      Connection connection, CommandRecord command, UUID epoch, int limit) throws SQLException {
    Binds binds = OperatorCommandSql.binds(command).set("epoch", epoch).set("limit", limit);
    List<Rows> results = new RoundTrip().add(RELEASE, binds).send(connection, null);
    int found = WorkLocks.locked(results.get(0)).size();
    return new Released(changed(results.get(1)) + changed(results.get(2)), found == limit);
  }

  /**
   * What one batch did.
   *
   * @param works that were changed
   * @param more whether the batch was full
   */
  public record Released(int works, boolean more) {}

  private static int changed(Rows rows) {
    return rows.get(0).get(CHANGED);
  }

  public static void record(
      Connection connection, CommandRecord command, String outcome, long released)
      throws SQLException {
    Binds binds =
        OperatorCommandSql.binds(command)
            .set(OperatorCommandSql.OUTCOME, outcome)
            .set(OperatorCommandSql.RESULTING_REVISION, 0L)
            .set(OperatorCommandSql.AFFECTED, released);
    new RoundTrip().add(RECORD, binds).send(connection, null);
  }

  private static SelectConditionStep<Record1<UUID>> dispatched() {
    return select(WORK.WORK_ID)
        .from(DISPATCH)
        .join(WORK)
        .on(WORK.SCOPE_ID.eq(DISPATCH.SCOPE_ID).and(WORK.WORK_ID.eq(DISPATCH.WORK_ID)))
        .where(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
        .and(IS_OF_ANOTHER_EPOCH);
  }

  private static SelectConditionStep<Record1<UUID>> suspended() {
    return select(WORK.WORK_ID)
        .from(WORK)
        .where(IS_OF_ANOTHER_EPOCH)
        .and(IS_HELD_UP.or(IS_IN_DOUBT));
  }

  /** The state stays, and with it whatever recovery will decide. */
  private static Statement takeOver() {
    return Statement.ofRows(
        with(name("taken")
                .as(
                    update(WORK)
                        .set(WORK.EPOCH, EPOCH)
                        .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
                        .where(IS_OF_ANOTHER_EPOCH)
                        .and(WorkLocks.isLocked(WORK.WORK_ID))
                        // Runnable or owned, still; or as suspended as before.
                        .and(States.allow(WorkTransition.SUSPEND).or(IS_IN_DOUBT))
                        .returning(
                            WORK.WORK_ID,
                            WORK.REVISION,
                            WORK.STATE,
                            WORK.SUSPEND_REASON,
                            WORK.ATTEMPT,
                            WORK.LEASE_GENERATION)))
            .with(record("taken", inline("epoch_released")))
            .select(CHANGED)
            .from(step("taken")));
  }

  private static Statement release() {
    Field<WorkState> state =
        when(GOES_ON, States.to(WorkTransition.RELEASE))
            .otherwise(States.to(WorkTransition.RELEASE_TO_DECISION));
    return Statement.ofRows(
        with(
                Times.SAMPLED,
                name("released")
                    .as(
                        update(WORK)
                            .set(WORK.STATE, state)
                            .set(WORK.SUSPEND_REASON, decision())
                            .set(WORK.EPOCH, EPOCH)
                            .set(
                                WORK.EXTRA_ATTEMPTS,
                                Policies.roomForOneMoreAttempt(WORK_SNAPSHOT.MAX_ATTEMPTS))
                            .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
                            .from(Times.SAMPLED, WORK_SNAPSHOT)
                            .where(IS_OF_ANOTHER_EPOCH)
                            .and(WorkLocks.isLocked(WORK.WORK_ID))
                            .and(IS_HELD_UP)
                            .and(Policies.snapshotIsTheWorks())
                            .returning(
                                WORK.WORK_ID,
                                WORK.REVISION,
                                WORK.STATE,
                                WORK.SUSPEND_REASON,
                                WORK.ATTEMPT,
                                WORK.LEASE_GENERATION,
                                WORK_SNAPSHOT.CONTRACT_NAME,
                                WORK_SNAPSHOT.CONTRACT_VERSION,
                                WORK_SNAPSHOT.PRIORITY,
                                Policies.dueByCommand(Times.AT).as("due_at"))),
                dispatch(),
                record(
                    "released",
                    when(
                            column("released", WORK.SUSPEND_REASON).isNull(),
                            inline(WorkTransition.RELEASE.event()))
                        .otherwise(inline(WorkTransition.RELEASE_TO_DECISION.event()))))
            .select(CHANGED)
            .from(step("released")));
  }

  private static Field<SuspendReason> decision() {
    return when(GOES_ON, inline(null, WORK.SUSPEND_REASON))
        .when(
            WORK_SNAPSHOT.PROVIDER_SAFETY.eq(
                inline(
                    ProviderSafety.MANUAL_RESOLUTION, WORK_SNAPSHOT.PROVIDER_SAFETY.getDataType())),
            inline(SuspendReason.MANUAL_RESOLUTION, WORK.SUSPEND_REASON.getDataType()))
        .otherwise(
            inline(SuspendReason.RECONCILIATION_REQUIRED, WORK.SUSPEND_REASON.getDataType()));
  }

  private static CommonTableExpression<?> dispatch() {
    return name("dispatched")
        .as(
            insertInto(
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
                            ScopeSql.SCOPE_ID_PARAM,
                            column("released", WORK.WORK_ID),
                            column("released", WORK_SNAPSHOT.CONTRACT_NAME),
                            column("released", WORK_SNAPSHOT.CONTRACT_VERSION),
                            column("released", WORK_SNAPSHOT.PRIORITY),
                            column("released", DISPATCH.DUE_AT),
                            column("released", WORK.LEASE_GENERATION))
                        .from(step("released"))
                        .where(column("released", WORK.SUSPEND_REASON).isNull()))
                .returning(DISPATCH.WORK_ID));
  }

  private static CommonTableExpression<?> record(String moved, Field<String> event) {
    return HistorySql.recordByCommand(
        moved, event, column(moved, WORK.STATE), column(moved, WORK.SUSPEND_REASON));
  }
}
