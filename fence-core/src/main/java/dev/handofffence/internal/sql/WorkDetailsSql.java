package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_HISTORY;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.internal.store.StoreRow;
import dev.handofffence.work.Page;
import dev.handofffence.work.PermitState;
import dev.handofffence.work.PermitView;
import dev.handofffence.work.WorkDetails;
import dev.handofffence.work.WorkHistoryEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.SelectConditionStep;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** One Work with its permits and its history. */
public final class WorkDetailsSql {

  private static final int LAST = 100;

  private static final Param<Long> AFTER = param("after", SQLDataType.BIGINT);
  private static final Param<Integer> LIMIT = param("limit", SQLDataType.INTEGER);

  private static final List<Field<?>> ENTRY = List.of(WORK_HISTORY.fields());

  private static final Script DETAILS =
      Script.of(
          StoreSql.READ_STORE,
          ScopeSql.BIND_SCOPE,
          Statement.ofRows(
              select(WorkViewSql.COLUMNS)
                  .from(WorkViewSql.joined(WORK))
                  .where(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                  .and(WORK.WORK_ID.eq(FactsSql.WORK_ID_PARAM))),
          Statement.ofRows(
              select(
                      PERMIT.ATTEMPT,
                      PERMIT.LEASE_GENERATION,
                      PERMIT.STATE,
                      PERMIT.GRANTED_AT,
                      PERMIT.SETTLED_AT)
                  .from(PERMIT)
                  .where(PERMIT.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                  .and(PERMIT.WORK_ID.eq(FactsSql.WORK_ID_PARAM))
                  .orderBy(PERMIT.LEASE_GENERATION.desc())
                  .limit(inline(LAST))),
          Statement.ofRows(history().orderBy(WORK_HISTORY.ENTRY.desc()).limit(inline(LAST))));

  private static final Script HISTORY =
      Script.of(
          StoreSql.READ_STORE,
          ScopeSql.BIND_SCOPE,
          Statement.ofRows(
              history()
                  .and(WORK_HISTORY.ENTRY.gt(AFTER))
                  .orderBy(WORK_HISTORY.ENTRY)
                  .limit(LIMIT)));

  private WorkDetailsSql() {}

  /** Reads one Work, on a connection in autocommit mode. */
  public static Found find(Connection connection, ScopeId scope, WorkId workId)
      throws SQLException {
    List<Rows> results =
        new RoundTrip().add(DETAILS, FactsSql.keys(scope, workId)).send(connection, null);
    return new Found(
        StoreSql.store(results.get(0)),
        results.get(1).stream()
            .findAny()
            .map(
                row ->
                    new WorkDetails(
                        WorkViewSql.view(row),
                        oldestFirst(results.get(2).map(WorkDetailsSql::permit)),
                        oldestFirst(results.get(3).map(WorkDetailsSql::entry)))));
  }

  /** Reads a page of the history, on a connection in autocommit mode. */
  public static History history(
      Connection connection, ScopeId scope, WorkId workId, long after, int limit)
      throws SQLException {
    Binds binds = FactsSql.keys(scope, workId).set("after", after).set("limit", limit);
    List<Rows> results = new RoundTrip().add(HISTORY, binds).send(connection, null);
    List<WorkHistoryEntry> entries = results.get(1).map(WorkDetailsSql::entry);
    Optional<Long> next =
        entries.size() == limit
            ? Optional.of(entries.get(entries.size() - 1).entry())
            : Optional.empty();
    return new History(StoreSql.store(results.get(0)), new Page<>(entries, next));
  }

  /**
   * What was read.
   *
   * @param store judge it first
   */
  public record Found(@Nullable StoreRow store, Optional<WorkDetails> work) {}

  /**
   * What was read.
   *
   * @param store judge it first
   */
  public record History(@Nullable StoreRow store, Page<WorkHistoryEntry, Long> page) {}

  private static SelectConditionStep<Record> history() {
    return select(ENTRY)
        .from(WORK_HISTORY)
        .where(WORK_HISTORY.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
        .and(WORK_HISTORY.WORK_ID.eq(FactsSql.WORK_ID_PARAM));
  }

  private static <T> List<T> oldestFirst(List<T> newestFirst) {
    List<T> turned = new ArrayList<>(newestFirst);
    Collections.reverse(turned);
    return turned;
  }

  private static PermitView permit(Row row) {
    return new PermitView(
        row.get(PERMIT.ATTEMPT),
        row.get(PERMIT.LEASE_GENERATION),
        PermitState.valueOf(row.get(PERMIT.STATE).name()),
        row.get(PERMIT.GRANTED_AT),
        Optional.ofNullable(row.get(PERMIT.SETTLED_AT)));
  }

  private static WorkHistoryEntry entry(Row row) {
    return new WorkHistoryEntry(
        row.get(WORK_HISTORY.ENTRY),
        row.get(WORK_HISTORY.RECORDED_AT),
        row.get(WORK_HISTORY.EVENT),
        row.get(WORK_HISTORY.REVISION),
        WorkViewSql.state(row.get(WORK_HISTORY.STATE)),
        WorkViewSql.reason(row.get(WORK_HISTORY.SUSPEND_REASON)),
        row.get(WORK_HISTORY.ATTEMPT),
        row.get(WORK_HISTORY.LEASE_GENERATION),
        Optional.ofNullable(row.get(WORK_HISTORY.CODE)),
        Optional.ofNullable(row.get(WORK_HISTORY.ACTOR)),
        Optional.ofNullable(row.get(WORK_HISTORY.REASON)));
  }
}
