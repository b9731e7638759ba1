package dev.handofffence.internal.transaction;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.internal.sql.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.Configuration;
import org.jooq.ConnectionProvider;

/** A transaction that the caller has begun and will end. */
public final class CallersTransaction {

  private CallersTransaction() {}

  /** Runs with the connection of the caller's jOOQ transaction and gives it back. */
  public static <T> T with(Configuration transaction, Function<Connection, T> use) {
    ConnectionProvider provider = transaction.connectionProvider();
    Connection connection = provider.acquire();
    if (connection == null) {
      throw required("the Configuration has no connection");
    }
    try {
      return use.apply(connection);
    } finally {
      provider.release(connection);
    }
  }

  /**
   * Checks what the driver knows without asking the server.
   *
   * @throws DurableException DUR101 when there is no transaction in which something can be written,
   *     or the driver cannot send it
   */
  public static void require(Connection connection) {
    try {
      if (connection.isClosed()) {
        throw required("the connection is closed");
      }
      if (connection.getAutoCommit()) {
        throw required("the connection is in autocommit mode");
      }
      if (connection.isReadOnly()) {
        throw required("the connection is read-only");
      }
      requireSupportedModes(connection);
    } catch (SQLException e) {
      throw SqlFailure.ofStatement("Looking at the transaction", e);
    }
  }

  /**
   * Checks that several statements can be one round trip.
   *
   * @throws DurableException DUR101 when the driver cannot do that
   */
  static void requireSupportedModes(Connection connection) throws SQLException {
    Optional<String> unsupported = DriverModes.unsupported(connection);
    if (unsupported.isPresent()) {
      throw required(unsupported.get());
    }
  }

  /** Returns the DUR101 for what was observed. */
  public static DurableException required(String observed) {
    return new DurableException(Problem.TRANSACTION_REQUIRED, observed);
  }
}
