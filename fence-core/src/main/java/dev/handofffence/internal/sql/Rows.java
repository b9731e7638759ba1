package dev.handofffence.internal.sql;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a statement returned, in its order; unmodifiable. All values are in one array, and a {@link
 * Row} looks at its part.
 */
final class Rows extends AbstractList<Row> {

  private final RowDecoder columns;
  private final @Nullable Object[] values;
  private final int size;

  Rows(RowDecoder columns, @Nullable Object[] values, int size) {
    this.columns = columns;
    this.values = values;
    this.size = size;
  }

  @Override
  public Row get(int index) {
    return new Row(columns, values, Objects.checkIndex(index, size) * columns.width());
  }

  @Override
  public int size() {
    return size;
  }

  /** Turns every row into something else. */
  <T> List<T> map(Function<? super Row, ? extends T> function) {
    List<T> mapped = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      mapped.add(function.apply(get(i)));
    }
    return mapped;
  }
}
