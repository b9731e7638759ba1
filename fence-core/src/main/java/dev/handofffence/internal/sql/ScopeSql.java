package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.SCOPE;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Binding, locking and reading one scope. */
final class ScopeSql {

  static final String SCOPE_ID = "scope_id";

  /** Seed of {@code durable.scope_lock_key(text)}. */
  private static final long SCOPE_LOCK_SEED = 7521414230330205698L;

  static final Param<String> SCOPE_ID_PARAM = param(SCOPE_ID, SQLDataType.VARCHAR);

  /** The advisory lock key of a scope. */
  static final Field<Long> SCOPE_LOCK_KEY = lockKey(SCOPE_ID_PARAM);

  /** Makes row-level security show this scope until the end of the transaction. */
  static final Statement BIND_SCOPE =
      Statement.of(
          select(
              DSL.function(
                  "set_config",
                  SQLDataType.VARCHAR,
                  inline("durable.scope_id"),
                  SCOPE_ID_PARAM,
                  inline(true))));

  /**
   * Shared, so that a change of the scope waits for this transaction; the row is read by a later
   * statement.
   */
  static final Statement LOCK_SCOPE_SHARED =
      Statement.of(
          select(DSL.function("pg_advisory_xact_lock_shared", SQLDataType.OTHER, SCOPE_LOCK_KEY)));

  static final Statement READ_SCOPE =
      Statement.ofRows(
          select(SCOPE.SCOPE_ID, SCOPE.GENERATION, SCOPE.STATE)
              .from(SCOPE)
              .where(SCOPE.SCOPE_ID.eq(SCOPE_ID_PARAM)));

  private ScopeSql() {}

  /** The advisory lock key of a scope that is known by its column. */
  static Field<Long> lockKey(Field<String> scope) {
    return DSL.function("hashtextextended", SQLDataType.BIGINT, scope, inline(SCOPE_LOCK_SEED));
  }
}
