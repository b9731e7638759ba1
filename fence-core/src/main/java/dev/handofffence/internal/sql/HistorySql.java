package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_HISTORY;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.state.WorkTransition;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Table;

/** The append-only history: written in the statement that makes the transition. */
final class HistorySql {

  /** What an entry about a command has. */
  static final List<Field<?>> COMMAND_COLUMNS =
      List.of(
          WORK_HISTORY.SCOPE_ID,
          WORK_HISTORY.WORK_ID,
          WORK_HISTORY.EVENT,
          WORK_HISTORY.REVISION,
          WORK_HISTORY.STATE,
          WORK_HISTORY.SUSPEND_REASON,
          WORK_HISTORY.ATTEMPT,
          WORK_HISTORY.LEASE_GENERATION,
          WORK_HISTORY.CODE,
          WORK_HISTORY.ACTOR,
          WORK_HISTORY.REASON);

  private HistorySql() {}

  /**
   * Records one transition of every row of {@code moved}, which has the columns scope_id, work_id,
   * revision, attempt and lease_generation of the Work after it.
   *
   * @param moved name of an earlier step of the statement
   * @param code a column of {@code from}, or an inlined null
   * @param from {@code moved}, joined with whatever the code is read from
   */
  static CommonTableExpression<?> record(
      WorkTransition transition, String moved, Field<String> code, Table<?> from) {
    return name("recorded")
        .as(
            insertInto(
                    WORK_HISTORY,
                    WORK_HISTORY.SCOPE_ID,
                    WORK_HISTORY.WORK_ID,
                    WORK_HISTORY.EVENT,
                    WORK_HISTORY.REVISION,
                    WORK_HISTORY.STATE,
                    WORK_HISTORY.ATTEMPT,
                    WORK_HISTORY.LEASE_GENERATION,
                    WORK_HISTORY.CODE)
                .select(
                    select(
                            Columns.column(moved, WORK.SCOPE_ID),
                            Columns.column(moved, WORK.WORK_ID),
                            inline(transition.event()),
                            Columns.column(moved, WORK.REVISION),
                            inline(transition.to(), WORK_HISTORY.STATE.getDataType()),
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
            insertInto(WORK_HISTORY)
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
