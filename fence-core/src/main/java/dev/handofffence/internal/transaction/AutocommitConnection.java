package dev.handofffence.internal.transaction;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.internal.sql.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of the library's own in autocommit mode, on which one round trip is one transaction
 * that has committed when it returns.
 */
public final class AutocommitConnection {

  /** The oldest PostgreSQL whose features the statements use. */
  public static final int OLDEST_SERVER = 16;

  private static final Logger LOG = LoggerFactory.getLogger(AutocommitConnection.class);

  private AutocommitConnection() {}

  /**
   * Opens a connection, uses it and gives it back as it was.
   *
   * @param operation what is being done, for the message of a failure
   * @throws DurableException DUR101 when its isolation level is not READ COMMITTED or the driver
   *     cannot send several statements at once; DUR103 when there is no connection, it is lost, or
   *     the server is too old
   * @throws org.jooq.exception.DataAccessException any other failure of the database
   */
  public static <T> T with(DataSource source, String operation, SqlFunction<T> use) {
    return withAnyIsolation(
        source,
        operation,
        connection -> {
          if (!IsolationLevel.isReadCommitted(connection)) {
            throw CallersTransaction.required("the isolation level is not read committed");
          }
          return use.apply(connection);
        });
  }

  /**
   * The same for statements that check the isolation level themselves, or judge nothing by what
   * they read: spares the trip that asks for it.
   *
   * @param operation what is being done, for the message of a failure
   * @throws DurableException DUR101 when the driver cannot send several statements at once; DUR103
   *     when there is no connection, it is lost, or the server is too old
   * @throws org.jooq.exception.DataAccessException any other failure of the database
   */
  public static <T> T withAnyIsolation(DataSource source, String operation, SqlFunction<T> use) {
    Connection connection = open(source);
    try {
      requireSupportedServer(connection);
      CallersTransaction.requireSupportedModes(connection);
      return inAutocommit(connection, use);
    } catch (SQLException e) {
      throw SqlFailure.ofStatement(operation, e);
    } finally {
      close(connection);
    }
  }

  private static Connection open(DataSource source) {
    try {
      return source.getConnection();
    } catch (SQLException | RuntimeException e) { // pools and bad URLs throw unchecked ones
      throw SqlFailure.ofConnecting(e);
    }
  }

  private static void requireSupportedServer(Connection connection) throws SQLException {
    int major = connection.getMetaData().getDatabaseMajorVersion();
    if (major < OLDEST_SERVER) {
      throw new DurableException(
          Problem.STORE_UNAVAILABLE,
          "the server is PostgreSQL " + major + "; " + OLDEST_SERVER + " or newer is needed");
    }
  }

  private static <T> T inAutocommit(Connection connection, SqlFunction<T> use) throws SQLException {
    if (connection.getAutoCommit()) {
      return use.apply(connection);
    }
    connection.setAutoCommit(true);
    T result = use.apply(connection);
    connection.setAutoCommit(false); // after a failure the pool resets or discards it
    return result;
  }

  /** What was done has committed or failed by now; a failing close changes neither. */
  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.warn("Closing a connection failed with SQLSTATE {}", e.getSQLState());
    }
  }
}
