package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_EVENT;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.state.WorkTransition;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Table;

/**
 * The append-only history: written in the statement that makes the transition. Acceptance, permit
 * and success have no entry of their own here: the view {@code work_history} reads them from the
 * snapshot, the permit and the result.
 */
final class HistorySql {

  /** The Work after a transition. */
  private static final List<Field<?>> MOVED =
      List.of(WORK.SCOPE_ID, WORK.WORK_ID, WORK.REVISION, WORK.ATTEMPT, WORK.LEASE_GENERATION);

  /** What an entry about a command has. */
  static final List<Field<?>> COMMAND_COLUMNS =
      List.of(
          WORK_EVENT.SCOPE_ID,
          WORK_EVENT.WORK_ID,
          WORK_EVENT.EVENT,
          WORK_EVENT.REVISION,
          WORK_EVENT.STATE,
          WORK_EVENT.SUSPEND_REASON,
          WORK_EVENT.ATTEMPT,
          WORK_EVENT.LEASE_GENERATION,
          WORK_EVENT.CODE,
          WORK_EVENT.ACTOR,
          WORK_EVENT.REASON);

  private HistorySql() {}

  /**
   * What a step that moves Works returns, so that the history can tell of it: the Works after the
   * transition, and what else the statement needs.
   */
  static List<Field<?>> moved(Field<?>... others) {
    return Stream.concat(MOVED.stream(), Stream.of(others)).toList();
  }

  /**
   * Records one transition of every row of {@code moved}.
   *
   * @param moved name of an earlier step of the statement, that returned {@link #moved(Field...)}
   * @param code a column of {@code from}, or an inlined null
   * @param from {@code moved}, joined with whatever the code is read from
   */
  static CommonTableExpression<?> record(
      WorkTransition transition, String moved, Field<String> code, Table<?> from) {
    return name("recorded")
        .as(
            insertInto(
                    WORK_EVENT,
                    WORK_EVENT.SCOPE_ID,
                    WORK_EVENT.WORK_ID,
                    WORK_EVENT.EVENT,
                    WORK_EVENT.REVISION,
                    WORK_EVENT.STATE,
                    WORK_EVENT.ATTEMPT,
                    WORK_EVENT.LEASE_GENERATION,
                    WORK_EVENT.CODE)
                .select(
                    select(
                            Columns.column(moved, WORK.SCOPE_ID),
                            Columns.column(moved, WORK.WORK_ID),
                            inline(transition.event()),
                            Columns.column(moved, WORK.REVISION),
                            inline(transition.to(), WORK_EVENT.STATE.getDataType()),
                            Columns.column(moved, WORK.ATTEMPT),
                            Columns.column(moved, WORK.LEASE_GENERATION),
                            code)
                        .from(from))
                // No column of it: the runtime may add to the history, not read it.
                .returningResult(inline(1)));
  }

  /**
   * Records what a command did to every row of {@code moved}, which has the columns work_id,
   * revision, attempt and lease_generation of the Work after it; with who and why.
   *
   * @param moved name of an earlier step of the statement
   */
  static CommonTableExpression<?> recordByCommand(
      String moved, Field<String> event, Field<WorkState> state, Field<SuspendReason> reason) {
    return name("recorded")
        .as(
            insertInto(WORK_EVENT)
                .columns(COMMAND_COLUMNS)
                .select(
                    select(
                            ScopeSql.SCOPE_ID_PARAM,
                            Columns.column(moved, WORK.WORK_ID),
                            event,
                            Columns.column(moved, WORK.REVISION),
                            state,
                            reason,
                            Columns.column(moved, WORK.ATTEMPT),
                            Columns.column(moved, WORK.LEASE_GENERATION),
                            OperatorCommandSql.KIND_PARAM,
                            OperatorCommandSql.ACTOR_PARAM,
                            OperatorCommandSql.REASON_PARAM)
                        .from(Columns.step(moved)))
                .returningResult(inline(1)));
  }
}
