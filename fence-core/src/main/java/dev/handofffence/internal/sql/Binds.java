package dev.handofffence.internal.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values of named parameters. Only types that the driver sends with a known type: a bind of
 * unspecified type costs a round trip from the sixth execution on.
 */
final class Binds {

  private static final String[] NO_NAMES = {};
  private static final @Nullable Object[] NO_VALUES = {};
  private static final int ROOM = 12;

  /** Few enough to be looked through, and less to make than a map for every trip. */
  private String[] names = NO_NAMES;

  private @Nullable Object[] values = NO_VALUES;
  private int size;

  Binds set(String name, @Nullable Object value) {
    int index = indexOf(name);
    if (index == -1) {
      index = add(name);
    }
    values[index] = value;
    return this;
  }

  Binds setAll(Binds others) {
    for (int i = 0; i < others.size; i++) {
      set(others.names[i], others.values[i]);
    }
    return this;
  }

  private int add(String name) {
    if (size == names.length) {
      int room = Math.max(ROOM, 2 * size);
      names = Arrays.copyOf(names, room);
      values = Arrays.copyOf(values, room);
    }
    names[size] = name;
    return size++;
  }

  private int indexOf(String name) {
    for (int i = 0; i < size; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  void bind(PreparedStatement statement, int index, String name) throws SQLException {
    int place = indexOf(name);
    if (place == -1) {
      throw new IllegalStateException("No value for parameter " + name);
    }
    Object value = values[place];
    if (value == null) {
      throw new IllegalStateException(
          "Parameter " + name + " is null; send it as an array element or inline it");
    }
    if (value instanceof String text) {
      statement.setString(index, text);
    } else if (value instanceof Long number) {
      statement.setLong(index, number);
    } else if (value instanceof Integer number) {
      statement.setInt(index, number);
    } else if (value instanceof UUID uuid) {
      statement.setObject(index, uuid, Types.OTHER);
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(index, bytes);
    } else if (value instanceof Boolean flag) {
      statement.setBoolean(index, flag);
    } else if (value instanceof Object[] array) {
      statement.setArray(index, statement.getConnection().createArrayOf(arrayType(array), array));
    } else {
      throw new IllegalStateException("Parameter " + name + " has an unsupported type");
    }
  }

  private static String arrayType(Object[] array) {
    Class<?> element = array.getClass().getComponentType();
    if (element == String.class) {
      return "text";
    } else if (element == UUID.class) {
      return "uuid";
    } else if (element == Long.class) {
      return "bigint";
    } else if (element == Integer.class) {
      return "integer";
    } else if (element == byte[].class) {
      return "bytea";
    } else if (element == Instant.class) {
      return "timestamptz";
    }
    throw new IllegalStateException("Arrays of " + element.getName() + " are not supported");
  }
}
