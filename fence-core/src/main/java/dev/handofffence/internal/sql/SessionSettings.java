package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;

import java.time.Instant;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Functions of PostgreSQL's catalog, qualified: a caller's search_path may hide them. */
final class SessionSettings {

  private SessionSettings() {}

  static Field<String> setting(String setting) {
    return function("current_setting", SQLDataType.VARCHAR, inline(setting));
  }

  /** A setting of ours; "never set" and '' are the same. */
  static Field<String> ownSetting(String setting) {
    return coalesce(
        function("current_setting", SQLDataType.VARCHAR, inline(setting), inline(true)),
        inline(""));
  }

  /** Sets until the end of the transaction, or of the savepoint when that is rolled back. */
  static Field<String> setLocally(String setting, Field<String> value) {
    return set(setting, value, inline(true));
  }

  /** Sets as {@link #setLocally} does, or for the session once the transaction commits. */
  static Field<String> set(String setting, Field<String> value, Field<Boolean> locally) {
    return function("set_config", SQLDataType.VARCHAR, inline(setting), value, locally);
  }

  static Field<Instant> clock() {
    return function("clock_timestamp", SQLDataType.INSTANT);
  }

  static Field<Object> lockShared(Field<Long> key) {
    return function("pg_advisory_xact_lock_shared", SQLDataType.OTHER, key);
  }

  static <T> Field<T> function(String function, DataType<T> type, Field<?>... arguments) {
    return DSL.function(name("pg_catalog", function), type, arguments);
  }
}
