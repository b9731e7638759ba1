package dev.handofffence.internal.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Turns what the driver returns for one statement into rows of its columns. Immutable. */
final class RowDecoder {

  private static final @Nullable Object[] NO_VALUES = {};

  private final Field<?>[] fields;
  private final ColumnDecoder[] columns;

  RowDecoder(List<? extends Field<?>> fields) {
    this.fields = fields.toArray(Field<?>[]::new);
    this.columns = fields.stream().map(ColumnDecoder::of).toArray(ColumnDecoder[]::new);
  }

  int width() {
    return fields.length;
  }

  /**
   * Reads all rows.
   *
   * @throws IllegalStateException when they do not have as many columns as the statement
   */
  Rows decode(ResultSet rows) throws SQLException {
    requireWidth(rows.getMetaData().getColumnCount());
    @Nullable Object[] values = NO_VALUES;
    int size = 0;
    while (rows.next()) {
      values = withRoom(values, (size + 1) * width());
      read(rows, values, size++ * width());
    }
    return new Rows(this, values, size);
  }

  private void requireWidth(int found) {
    if (found != width()) {
      throw new IllegalStateException(
          "Rows have " + found + " columns where " + names() + " are expected");
    }
  }

  private @Nullable Object[] withRoom(@Nullable Object[] values, int needed) {
    if (needed <= values.length) {
      return values;
    }
    // Most statements return one row; those of batches, many.
    return Arrays.copyOf(values, Math.max(width(), 4 * values.length));
  }

  private void read(ResultSet rows, @Nullable Object[] into, int offset) throws SQLException {
    for (int i = 0; i < columns.length; i++) {
      into[offset + i] = columns[i].read(rows, i + 1);
    }
  }

  /**
   * Returns the place of a column: of the very field, else of the field of that name.
   *
   * @throws IllegalArgumentException when there is none, or several
   */
  int indexOf(Field<?> field) {
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] == field) {
        return i;
      }
    }
    return indexByName(field);
  }

  private int indexByName(Field<?> field) {
    int found = -1;
    for (int i = 0; i < fields.length; i++) {
      if (fields[i].getName().equals(field.getName())) {
        if (found != -1) {
          return indexByQualifiedName(field);
        }
        found = i;
      }
    }
    return require(found, field);
  }

  private int indexByQualifiedName(Field<?> field) {
    int found = -1;
    for (int i = 0; i < fields.length; i++) {
      if (fields[i].getQualifiedName().equals(field.getQualifiedName())) {
        found = i;
      }
    }
    return require(found, field);
  }

  private int require(int found, Field<?> field) {
    if (found == -1) {
      throw new IllegalArgumentException(
          "No column " + field.getQualifiedName() + " among " + names());
    }
    return found;
  }

  private List<String> names() {
    return Arrays.stream(fields).map(Field::getName).toList();
  }
}
