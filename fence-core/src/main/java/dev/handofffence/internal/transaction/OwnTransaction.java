package dev.handofffence.internal.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A transaction of the library's own over several round trips. */
public final class OwnTransaction {

  private OwnTransaction() {}

  /**
   * Runs statements and commits, or rolls back when they throw.
   *
   * @param operation what is being done, for the message of a failure
   * @throws dev.handofffence.DurableException DUR101 when the isolation level is not READ
   *     COMMITTED; DUR103 when there is no connection, it is lost, or the server is too old
   * @throws org.jooq.exception.DataAccessException any other failure of the database
   */
  public static <T> T run(DataSource source, String operation, SqlFunction<T> statements) {
    return AutocommitConnection.with(source, operation, connection -> run(connection, statements));
  }

  private static <T> T run(Connection connection, SqlFunction<T> statements) throws SQLException {
    connection.setAutoCommit(false);
    try {
      T result = statements.apply(connection);
      connection.commit();
      connection.setAutoCommit(true);
      return result;
    } catch (SQLException | RuntimeException | Error failure) {
      rollBack(connection, failure);
      throw failure;
    }
  }

  private static void rollBack(Connection connection, Throwable failure) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }
}
