package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.internal.sql.Columns.column;
import static dev.handofffence.internal.sql.Columns.step;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.internal.state.WorkTransition;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jooq.CommonTableExpression;
import org.jspecify.annotations.Nullable;

/**
 * Disables a scope under its exclusive lock, in set-based statements: whoever works in the scope
 * holds that lock shared, so nobody else has any of its rows locked, and one order is as good as
 * another.
 */
public final class DisableScopeSql {

  private static final Script LOCK_AND_READ =
      Script.of(
          StoreSql.COMMIT_DURABLY,
          StoreSql.LOCK_EPOCH_SHARED,
          StoreSql.READ_STORE,
          ScopeSql.BIND_SCOPE,
          EpochSql.lockExclusively(ScopeSql.SCOPE_LOCK_KEY),
          OperatorCommandSql.READ,
          ScopeSql.READ_SCOPE);

  private static final Script DISABLE = Script.of(disable(), suspendAll());
  private static final Script RECORD = Script.of(OperatorCommandSql.RECORD_ABOUT_SCOPE);

  private DisableScopeSql() {}

  /**
   * Takes the locks in an open transaction; 55P03, with the backends in its detail, when the scope
   * is still in use after the given patience.
   */
  public static Locked lock(Connection connection, CommandRecord command, Duration patience)
      throws SQLException {
    Binds binds =
        OperatorCommandSql.binds(command)
            .set(EpochSql.PATIENCE, TimeUnit.MICROSECONDS.convert(patience));
    List<Rows> results = new RoundTrip().add(LOCK_AND_READ, binds).send(connection, null);
    Rows scope = results.get(2);
    return new Locked(
        StoreSql.store(results.get(0)),
        OperatorCommandSql.performed(results.get(1)),
        scope.isEmpty() ? null : scope.get(0).get(SCOPE.STATE),
        scope.isEmpty() ? 0 : scope.get(0).get(SCOPE.GENERATION));
  }

  /**
   * What was locked.
   *
   * @param store judge it first
   * @param state null when there is no such scope
   */
  public record Locked(
      @Nullable StoreRow store,
      @Nullable PerformedCommand performed,
      @Nullable ScopeState state,
      long generation) {}

  /**
   * Disables the locked scope and suspends all of its Work that is runnable or owned.
   *
   * @return how many Works
   */
  public static long disable(
      Connection connection, CommandRecord command, String outcome, long nextGeneration)
      throws SQLException {
    Binds binds = OperatorCommandSql.binds(command);
    long suspended =
        new RoundTrip()
            .add(DISABLE, binds)
            .send(connection, null)
            .get(0)
            .get(0)
            .get(0, Integer.class);
    binds
        .set(OperatorCommandSql.OUTCOME, outcome)
        .set(OperatorCommandSql.RESULTING_REVISION, nextGeneration)
        .set(OperatorCommandSql.AFFECTED, suspended);
    new RoundTrip().add(RECORD, binds).send(connection, null);
    return suspended;
  }

  private static Statement disable() {
    return Statement.of(
        update(SCOPE)
            .set(SCOPE.GENERATION, SCOPE.GENERATION.plus(inline(1L)))
            .set(SCOPE.STATE, inline(ScopeState.DISABLED, SCOPE.STATE.getDataType()))
            .set(SCOPE.CHANGED_AT, Times.CLOCK)
            .set(SCOPE.CHANGED_BY, OperatorCommandSql.ACTOR_PARAM)
            .set(SCOPE.CHANGE_REASON, OperatorCommandSql.REASON_PARAM)
            .where(SCOPE.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM)));
  }

  private static Statement suspendAll() {
    return Statement.ofRows(
        with(Times.SAMPLED, suspend(), remove(), settle(), record())
            .select(selectCount().from(step("suspended")).asField().as("suspended")));
  }

  /** Found by their dispatch rows, which they alone have: the finished ones are not read. */
  private static CommonTableExpression<?> suspend() {
    return name("suspended")
        .as(
            update(WORK)
                .set(WORK.STATE, States.to(WorkTransition.DISABLE))
                .set(
                    WORK.SUSPEND_REASON,
                    inline(SuspendReason.SCOPE_DISABLED, WORK.SUSPEND_REASON.getDataType()))
                .set(WORK.LEASE_OWNER, inline(null, WORK.LEASE_OWNER))
                .set(WORK.REVISION, WORK.REVISION.plus(inline(1L)))
                .from(DISPATCH)
                .where(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(WORK.WORK_ID.eq(DISPATCH.WORK_ID))
                .and(States.allow(WorkTransition.DISABLE))
                .returning(WORK.WORK_ID, WORK.REVISION, WORK.ATTEMPT, WORK.LEASE_GENERATION));
  }

  private static CommonTableExpression<?> remove() {
    return name("removed")
        .as(
            deleteFrom(DISPATCH)
                .using(step("suspended"))
                .where(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(DISPATCH.WORK_ID.eq(column("suspended", WORK.WORK_ID)))
                .returning(DISPATCH.WORK_ID));
  }

  /** What an attempt that was permitted has done, or still does, is not known here. */
  private static CommonTableExpression<?> settle() {
    return name("settled")
        .as(
            update(PERMIT)
                .set(PERMIT.STATE, inline(PermitState.UNRESOLVED, PERMIT.STATE.getDataType()))
                .set(PERMIT.SETTLED_AT, Times.AT)
                .from(Times.SAMPLED, step("suspended"))
                .where(PERMIT.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                .and(PERMIT.WORK_ID.eq(column("suspended", WORK.WORK_ID)))
                .and(PermitSql.isOpen())
                .returning(PERMIT.WORK_ID));
  }

  private static CommonTableExpression<?> record() {
    return HistorySql.recordByCommand(
        "suspended",
        inline(WorkTransition.DISABLE.event()),
        States.to(WorkTransition.DISABLE),
        inline(SuspendReason.SCOPE_DISABLED, WORK.SUSPEND_REASON.getDataType()));
  }
}
