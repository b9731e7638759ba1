package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import java.util.Set;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Select;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Locks many Works of one scope by key, without ever waiting for one: a Work that somebody else has
 * locked must not hold up the others. Which ones were locked is kept in a setting of the
 * transaction, from which the later statements, that judge, take it.
 *
 * <p>The scope's own lock is not waited for either: while one tenant is being disabled, batches go
 * on with the others.
 */
final class WorkLocks {

  private static final String SCOPE_LOCK = "durable.scope_lock";
  private static final String LOCKED = "durable.locked";

  private static final Field<UUID> KEY = field(name("locked", "work_id"), SQLDataType.UUID);

  /** The Works that this transaction has locked. */
  static final Field<UUID[]> LOCKED_IDS =
      current(LOCKED).cast(SQLDataType.UUID.array()).as("locked");

  /** Shows one scope, and takes its lock if it is free. */
  static final Statement BIND_AND_TRY_LOCK_SCOPE =
      Statement.of(
          select(
              set("durable.scope_id", ScopeSql.SCOPE_ID_PARAM.cast(SQLDataType.CLOB)),
              set(
                  SCOPE_LOCK,
                  DSL.function(
                          "pg_try_advisory_xact_lock_shared",
                          SQLDataType.BOOLEAN,
                          ScopeSql.SCOPE_LOCK_KEY)
                      .cast(SQLDataType.CLOB))));

  static final Statement READ_LOCKED = Statement.ofRows(select(LOCKED_IDS));

  private WorkLocks() {}

  /**
   * Holds for rows that this transaction locked by one of the statements above. Read by a query of
   * its own: an expression would be read and parsed again for every row it is compared with.
   */
  static Condition isLocked(TableField<?, UUID> workId) {
    Field<UUID[]> once = field(select(current(LOCKED).cast(SQLDataType.UUID.array())));
    return workId.eq(any(once.cast(SQLDataType.UUID.array())));
  }

  /** Returns what {@link #READ_LOCKED} read. */
  static Set<UUID> locked(Rows rows) {
    return Set.of(rows.get(0).get(LOCKED_IDS));
  }

  static Condition scopeIsLocked() {
    return current(SCOPE_LOCK).eq(inline("true"));
  }

  /** Keeps which rows a locking query has locked, for the statements after it. */
  static Statement keep(Select<? extends Record> locking) {
    Field<String> ids =
        coalesce(DSL.arrayAgg(KEY).cast(SQLDataType.CLOB), inline("{}", SQLDataType.CLOB));
    return Statement.of(select(set(LOCKED, ids)).from(locking.asTable("locked")));
  }

  private static Field<String> set(String setting, Field<String> value) {
    return DSL.function("set_config", SQLDataType.CLOB, inline(setting), value, inline(true));
  }

  private static Field<String> current(String setting) {
    return DSL.function("current_setting", SQLDataType.CLOB, inline(setting));
  }
}
