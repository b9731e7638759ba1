package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.STORE;
import static dev.handofffence.internal.sql.Existence.exists;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import dev.handofffence.internal.store.StoreCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * How acceptance enters a transaction: epoch, store, scopes (protocol section 4).
 *
 * <p>Everything goes in one trip, so no statement can be left out by the client: each one that
 * locks or writes is guarded by the facts before it, all of them locked by then. On a refusal they
 * find nothing to do.
 */
final class AcceptanceEntrySql {

  static final String STORE_ID = "store_id";
  static final String EPOCH = "epoch";
  static final String SCOPE_IDS = "scope_ids";

  static final Param<UUID> EPOCH_PARAM = param(EPOCH, SQLDataType.UUID);
  private static final Param<UUID> STORE_ID_PARAM = param(STORE_ID, SQLDataType.UUID);

  /** Transaction-local settings of ours: a trip has no other place to keep what it has found. */
  private static final String CALLER_SCOPE = "durable.caller_scope";

  private static final String CALLER_SCOPES = "durable.caller_scopes";
  private static final String LOCKED_SCOPES = "durable.locked_scopes";
  private static final String SCOPE_SETTING = "durable.scope_id";
  private static final String SCOPES_SETTING = "durable.scope_ids";

  static final Statement SAVEPOINT = Statement.ofText("SAVEPOINT durable_accept");
  static final Statement RELEASE = Statement.ofText("RELEASE SAVEPOINT durable_accept");
  static final Statement ROLL_BACK = Statement.ofText("ROLLBACK TO SAVEPOINT durable_accept");

  static final Field<String> ISOLATION = setting("transaction_isolation").as("isolation");

  /** With another isolation level later statements would judge facts older than their locks. */
  private static final Condition READ_COMMITTED =
      setting("transaction_isolation").eq(inline("read committed"));

  private static final Field<String> EPOCH_LOCK =
      field(
          "case when {0} then {1} end",
          SQLDataType.VARCHAR, READ_COMMITTED, sharedLock(inline(StoreSql.EPOCH_LOCK_KEY)));

  private static final List<Field<String>> REMEMBER =
      List.of(
          set(CALLER_SCOPE, coalesce(setting(SCOPE_SETTING), inline(""))),
          set(CALLER_SCOPES, coalesce(setting(SCOPES_SETTING), inline(""))));

  /** Of those that row-level security shows from now on, none is locked. */
  private static final List<Field<String>> BIND_SCOPES =
      List.of(
          set(SCOPES_SETTING, param(SCOPE_IDS, SQLDataType.VARCHAR)),
          set(LOCKED_SCOPES, inline("")));

  /** Locks the epoch and says what the transaction is. */
  static final Statement ENTER_OWN = enter(StoreSql.keptPlansAndDurableCommit(), BIND_SCOPES);

  /**
   * The same for requests of several callers: what one of them has to wait for must not hold up the
   * others. Long enough for what holds a lock while it is underway, short enough to be retried.
   */
  static final Statement ENTER_SHARED =
      enter(
          StoreSql.keptPlansAndDurableCommit(),
          List.of(BIND_SCOPES.get(0), BIND_SCOPES.get(1), set("lock_timeout", inline("20ms"))));

  /** The same, and keeps what the caller has bound. */
  static final Statement ENTER_CALLERS = enter(REMEMBER, BIND_SCOPES);

  /** Keeps what the caller has bound and says what the caller's transaction is. */
  static final Statement REMEMBER_CALLER =
      Statement.ofRows(select(ISOLATION, REMEMBER.get(0), REMEMBER.get(1)));

  static final Statement RESTORE_CALLER =
      Statement.of(
          select(
              set(SCOPE_SETTING, setting(CALLER_SCOPE)),
              set(SCOPES_SETTING, setting(CALLER_SCOPES))));

  /** {@link StoreCheck#problem} finds nothing, said in SQL; the epoch lock keeps it true. */
  private static final Condition STORE_IS_OURS =
      READ_COMMITTED
          .and(STORE.STORE_ID.eq(STORE_ID_PARAM))
          .and(STORE.ACTIVE_EPOCH.eq(EPOCH_PARAM))
          .and(STORE.SCHEMA_VERSION.ge(inline(StoreCheck.SCHEMA_VERSION)))
          .and(STORE.OLDEST_WRITER.le(inline(StoreCheck.SCHEMA_VERSION)))
          .and(STORE.OLDEST_READER.le(STORE.OLDEST_WRITER))
          .and(STORE.OLDEST_WRITER.le(STORE.SCHEMA_VERSION));

  /** Its trigger takes the scope lock exclusively, and waits for another first use to end. */
  static final Statement USE_FIRST =
      Statement.of(
          insertInto(SCOPE)
              .columns(SCOPE.SCOPE_ID)
              .select(
                  select(ScopeSql.SCOPE_ID_PARAM)
                      .where(exists(selectOne().from(STORE).where(STORE_IS_OURS))))
              .onConflictDoNothing());

  /**
   * Reads the store and, when it is ours, locks the scopes in their order. Only those that exist:
   * two first uses that both held the lock shared could never get it exclusively.
   */
  static final Statement LOCK_SCOPES = lockScopes();

  /** The scope of this row was locked, and not only seen later. */
  static final Condition SCOPE_IS_LOCKED =
      condition(
          "{0} = any(string_to_array({1}, ','))",
          ScopeTable.SCOPE_ID.field(), setting(LOCKED_SCOPES));

  private AcceptanceEntrySql() {}

  private static Statement enter(List<Field<String>> first, List<Field<String>> second) {
    List<Field<?>> all = new ArrayList<>(List.of(ISOLATION));
    all.addAll(first);
    all.addAll(second);
    all.add(EPOCH_LOCK);
    return Statement.ofRows(select(all));
  }

  private static Statement lockScopes() {
    // Each subquery ends with an offset, which keeps it as it is: sorted first, then locked, all.
    Table<?> scope =
        select(SCOPE.SCOPE_ID)
            .from(SCOPE)
            .where(SCOPE.SCOPE_ID.eq(ScopeTable.SCOPE_ID.field()))
            .offset(inline(0))
            .asTable("scope");
    Table<?> existing =
        select(ScopeTable.SCOPE_ID.field())
            .from(ScopeTable.ROWS, lateral(scope))
            .where(STORE_IS_OURS)
            .orderBy(ScopeTable.NUMBER.field())
            .offset(inline(0))
            .asTable("existing");
    Field<String> id = field(name("existing", "scope_id"), SQLDataType.VARCHAR);
    Table<?> locked =
        select(id, sharedLock(ScopeSql.lockKey(id)).as("lock"))
            .from(existing)
            .offset(inline(0))
            .asTable("locked");
    Field<String> all =
        field(
            select(
                    DSL.function(
                        "string_agg",
                        SQLDataType.VARCHAR,
                        field(name("locked", "scope_id"), SQLDataType.VARCHAR),
                        inline(",")))
                .from(locked));
    List<Field<?>> columns = new ArrayList<>(StoreSql.COLUMNS);
    columns.add(set(LOCKED_SCOPES, coalesce(all, inline(""))));
    return Statement.ofRows(select(columns).from(STORE));
  }

  static Field<String> setting(String name) {
    return DSL.function("current_setting", SQLDataType.VARCHAR, inline(name), inline(true));
  }

  static Field<String> set(String name, Field<String> value) {
    return DSL.function("set_config", SQLDataType.VARCHAR, inline(name), value, inline(true));
  }

  private static Field<String> sharedLock(Field<Long> key) {
    return field("pg_advisory_xact_lock_shared({0})::text", SQLDataType.VARCHAR, key);
  }
}
