package dev.handofffence.internal.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values of named parameters. Only types that the driver sends with a known type: a bind of
 * unspecified type costs a round trip from the sixth execution on.
 */
final class Binds {

  private final Map<String, @Nullable Object> values = new HashMap<>();

  Binds set(String name, @Nullable Object value) {
    values.put(name, value);
    return this;
  }

  Binds setAll(Binds others) {
    values.putAll(others.values);
    return this;
  }

  void bind(PreparedStatement statement, int index, String name) throws SQLException {
    Object value = values.get(name);
    if (value == null && !values.containsKey(name)) {
      throw new IllegalStateException("No value for parameter " + name);
    }
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
