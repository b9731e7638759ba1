package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.LIST_SCOPES;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.handofffence.ScopeId;
import dev.handofffence.generated.tables.ListScopes;
import dev.handofffence.internal.store.StoreRow;
import dev.handofffence.work.Page;
import dev.handofffence.work.ScopeState;
import dev.handofffence.work.ScopeView;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Lists scopes, which row-level security hides from every other statement. */
public final class ScopeListSql {

  private static final ListScopes FOUND =
      LIST_SCOPES(param("after", SQLDataType.CLOB), param("limit", SQLDataType.INTEGER));

  private static final Script LIST =
      Script.of(
          StoreSql.READ_STORE,
          Statement.ofRows(
              select(
                      FOUND.SCOPE_ID,
                      FOUND.GENERATION,
                      FOUND.STATE,
                      FOUND.CHANGED_AT,
                      FOUND.CHANGED_BY,
                      FOUND.CHANGE_REASON)
                  .from(FOUND)
                  .orderBy(FOUND.SCOPE_ID)));

  private ScopeListSql() {}

  /** Reads a page, on a connection in autocommit mode. */
  public static Listed list(Connection connection, Optional<ScopeId> after, int limit)
      throws SQLException {
    Binds binds =
        new Binds().set("after", after.map(ScopeId::value).orElse("")).set("limit", limit);
    List<Rows> results = new RoundTrip().add(LIST, binds).send(connection, null);
    List<ScopeView> scopes = results.get(1).map(ScopeListSql::view);
    Optional<ScopeId> next =
        scopes.size() == limit
            ? Optional.of(scopes.get(scopes.size() - 1).scope())
            : Optional.empty();
    return new Listed(StoreSql.store(results.get(0)), new Page<>(scopes, next));
  }

  /**
   * What was read.
   *
   * @param store judge it first
   */
  public record Listed(@Nullable StoreRow store, Page<ScopeView, ScopeId> page) {}

  private static ScopeView view(Row row) {
    return new ScopeView(
        ScopeId.of(row.get(FOUND.SCOPE_ID)),
        row.get(FOUND.GENERATION),
        ScopeState.valueOf(row.get(FOUND.STATE).name()),
        row.get(FOUND.CHANGED_AT),
        row.get(FOUND.CHANGED_BY),
        row.get(FOUND.CHANGE_REASON));
  }
}
