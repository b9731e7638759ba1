package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.name;

import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.DSL;

/** Columns of the named steps of a statement, typed as the table columns they come from. */
final class Columns {

  private Columns() {}

  static Table<?> step(String step) {
    return DSL.table(name(step));
  }

  static <T> Field<T> column(String step, Field<T> column) {
    return DSL.field(name(step, column.getName()), column.getDataType());
  }
}
