package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.inline;

import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Settings of the transaction: a trip has no other place to keep what a statement has found. */
final class Settings {

  private Settings() {}

  /** Until the end of the transaction. */
  static Field<String> set(String setting, Field<String> value) {
    return DSL.function("set_config", SQLDataType.CLOB, inline(setting), value, inline(true));
  }

  /** Of a setting that an earlier statement of the transaction has set. */
  static Field<String> current(String setting) {
    return DSL.function("current_setting", SQLDataType.CLOB, inline(setting));
  }
}
