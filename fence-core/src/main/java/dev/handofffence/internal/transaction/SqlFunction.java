package dev.handofffence.internal.transaction;

import java.sql.Connection;
import java.sql.SQLException;

/** Something to do with a connection. */
@FunctionalInterface
public interface SqlFunction<T> {

  T apply(Connection connection) throws SQLException;
}
