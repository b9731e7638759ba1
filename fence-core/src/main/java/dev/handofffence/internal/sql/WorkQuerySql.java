package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.with;

import dev.handofffence.WorkId;
import dev.handofffence.internal.store.StoreRow;
import dev.handofffence.work.Page;
import dev.handofffence.work.WorkQuery;
import dev.handofffence.work.WorkView;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record1;
import org.jooq.Select;
import org.jooq.SelectConditionStep;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Pages through the Works of one scope. Each page looks at a bounded number of rows and says where
 * the next one goes on, so that a filter that matches little cannot make it long; suspended, and
 * runnable or owned, Works are found without reading the finished ones.
 */
public final class WorkQuerySql {

  /** How many rows one page looks at. */
  private static final int EXAMINED = 10_000;

  /** Smaller than every id, and every filter's "any": binds cannot be null. */
  private static final UUID BEFORE_ALL = new UUID(0, 0);

  private static final String ANY = "";

  private static final Param<UUID> AFTER = param("after", SQLDataType.UUID);
  private static final Param<Integer> LIMIT = param("limit", SQLDataType.INTEGER);
  private static final Param<String> STATE = param("state", SQLDataType.CLOB);
  private static final Param<String> SUSPEND_REASON = param("suspend_reason", SQLDataType.CLOB);
  private static final Param<String> CONTRACT = param("contract", SQLDataType.CLOB);

  private static final Field<UUID> EXAMINED_ID =
      DSL.field(name("examined", "work_id"), SQLDataType.UUID);

  private static final Script ALL = script(works());
  private static final Script SUSPENDED = script(works().and(WORK.SUSPEND_REASON.isNotNull()));
  private static final Script DISPATCHED =
      script(
          select(DISPATCH.WORK_ID)
              .from(DISPATCH)
              .where(DISPATCH.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
              .and(DISPATCH.WORK_ID.gt(AFTER)));

  private WorkQuerySql() {}

  /** Reads one page, on a connection in autocommit mode. */
  public static Listed list(Connection connection, WorkQuery query) throws SQLException {
    List<Rows> results = new RoundTrip().add(script(query), binds(query)).send(connection, null);
    List<WorkView> works = results.get(1).map(WorkViewSql::view);
    Optional<WorkId> next =
        works.size() == query.limit()
            ? Optional.of(works.get(works.size() - 1).workId())
            : results.get(2).stream().findAny().map(row -> new WorkId(row.get(0, UUID.class)));
    return new Listed(StoreSql.store(results.get(0)), new Page<>(works, next));
  }

  /**
   * What was read.
   *
   * @param store judge it first
   */
  public record Listed(@Nullable StoreRow store, Page<WorkView, WorkId> page) {}

  private static Script script(WorkQuery query) {
    return query
        .state()
        .map(
            state ->
                switch (state) {
                  case SUSPENDED -> SUSPENDED;
                  case READY, CLAIMED, PERMITTED -> DISPATCHED;
                  case SUCCEEDED, FAILED, CANCELED -> ALL;
                })
        .orElse(ALL);
  }

  private static Script script(SelectConditionStep<Record1<UUID>> source) {
    Select<Record1<UUID>> examined = source.orderBy(inline(1)).limit(inline(EXAMINED));
    return Script.of(
        StoreSql.READ_STORE, ScopeSql.BIND_SCOPE, matching(examined), lastExamined(examined));
  }

  private static SelectConditionStep<Record1<UUID>> works() {
    return select(WORK.WORK_ID)
        .from(WORK)
        .where(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
        .and(WORK.WORK_ID.gt(AFTER));
  }

  private static Statement matching(Select<Record1<UUID>> examined) {
    return Statement.ofRows(
        with(name("examined").fields("work_id").asMaterialized(examined))
            .select(WorkViewSql.COLUMNS)
            .from(
                WorkViewSql.joined(
                    DSL.table(name("examined"))
                        .join(WORK)
                        .on(
                            WORK.SCOPE_ID
                                .eq(ScopeSql.SCOPE_ID_PARAM)
                                .and(WORK.WORK_ID.eq(EXAMINED_ID)))))
            .where(isAnyOr(STATE, WORK.STATE))
            .and(isAnyOr(SUSPEND_REASON, WORK.SUSPEND_REASON))
            .and(isAnyOr(CONTRACT, WORK_SNAPSHOT.CONTRACT_NAME))
            .orderBy(WORK.WORK_ID)
            .limit(LIMIT));
  }

  /** One row when there was more to look at than a page does. */
  private static Statement lastExamined(Select<Record1<UUID>> examined) {
    return Statement.ofRows(
        with(name("examined").fields("work_id").asMaterialized(examined))
            .select(EXAMINED_ID)
            .from(name("examined"))
            .orderBy(EXAMINED_ID)
            .offset(inline(EXAMINED - 1))
            .limit(inline(1)));
  }

  private static Condition isAnyOr(Param<String> wanted, Field<?> column) {
    return wanted.eq(inline(ANY)).or(column.cast(SQLDataType.CLOB).eq(wanted));
  }

  private static Binds binds(WorkQuery query) {
    return new Binds()
        .set(ScopeSql.SCOPE_ID, query.scope().value())
        .set("after", query.after().map(WorkId::value).orElse(BEFORE_ALL))
        .set("limit", query.limit())
        .set("state", text(query.state()))
        .set("suspend_reason", text(query.suspendReason()))
        .set("contract", query.contractName().orElse(ANY));
  }

  private static String text(Optional<? extends Enum<?>> value) {
    return value.map(constant -> constant.name().toLowerCase(Locale.ROOT)).orElse(ANY);
  }
}
