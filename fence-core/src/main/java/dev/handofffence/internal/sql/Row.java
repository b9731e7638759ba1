package dev.handofffence.internal.sql;

import java.util.Objects;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** One row of what a statement returned. Immutable. */
final class Row {

  private final RowDecoder columns;
  private final @Nullable Object[] values;
  private final int offset;

  Row(RowDecoder columns, @Nullable Object[] values, int offset) {
    this.columns = columns;
    this.values = values;
    this.offset = offset;
  }

  /**
   * Returns the value of a column.
   *
   * @return null when the row has none: only the caller knows of which columns that may be
   * @throws IllegalArgumentException when the statement has no such column
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // the decoder was made by the field's type
  <T> T get(Field<T> field) {
    return (T) values[offset + columns.indexOf(field)];
  }

  /**
   * Returns the value of a column by its place.
   *
   * @param index from 0
   */
  @SuppressWarnings("NullAway") // as above
  <T> T get(int index, Class<T> type) {
    return type.cast(values[offset + Objects.checkIndex(index, columns.width())]);
  }
}
