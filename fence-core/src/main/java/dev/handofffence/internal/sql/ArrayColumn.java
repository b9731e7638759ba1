package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.rowsFrom;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * One column of a table that travels as one array parameter per column, so that one and a thousand
 * rows are the same statement.
 *
 * @param field how SQL sees it
 * @param value where its values come from
 */
record ArrayColumn<S, T>(Field<T> field, Function<S, ? extends @Nullable T> value) {

  static <S, T> ArrayColumn<S, T> of(
      String table, String name, DataType<T> type, Function<S, ? extends @Nullable T> value) {
    return new ArrayColumn<>(DSL.field(DSL.name(table, name), type), value);
  }

  /** Returns a table of any number of rows. */
  static Table<?> rows(String alias, List<? extends ArrayColumn<?, ?>> columns) {
    return rowsFrom(columns.stream().map(ArrayColumn::unnested).toArray(Table<?>[]::new))
        .as(alias, columns.stream().map(ArrayColumn::name).toArray(String[]::new));
  }

  /** Returns a table of one row, which costs the server no set of rows for each column. */
  static Table<?> row(String alias, List<? extends ArrayColumn<?, ?>> columns) {
    return select(columns.stream().map(ArrayColumn::first).toList()).asTable(alias);
  }

  /**
   * Returns a length of time as it travels: an interval would be read in the session's style. What
   * is shorter than a microsecond is cut off.
   */
  static @Nullable Long micros(@Nullable Duration length) {
    return length == null ? null : TimeUnit.MICROSECONDS.convert(length);
  }

  void bind(Binds binds, List<? extends S> sources) {
    Object[] values = (Object[]) Array.newInstance(field.getType(), sources.size());
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(sources.get(i));
    }
    binds.set(parameterName(), values);
  }

  /** The values of all rows. */
  Param<T[]> parameter() {
    return param(parameterName(), field.getDataType().array());
  }

  private String name() {
    return field.getName();
  }

  private String parameterName() {
    return field.getQualifiedName().first() + "_" + name();
  }

  private Table<?> unnested() {
    // Not DSL.unnest, whose own alias is not allowed inside ROWS FROM.
    return table("unnest({0})", parameter());
  }

  private Field<T> first() {
    return DSL.field("({0})[1]", field.getDataType(), parameter()).as(name());
  }
}
