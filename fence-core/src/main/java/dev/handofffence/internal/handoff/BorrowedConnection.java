package dev.handofffence.internal.handoff;

import dev.handofffence.internal.transaction.CallersTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.Configuration;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The caller's connection for the time of one call. What came from a Configuration is given back to
 * it; nothing is ever closed here.
 */
final class BorrowedConnection implements AutoCloseable {

  private final @Nullable Configuration configuration;
  private final Connection connection;

  private BorrowedConnection(@Nullable Configuration configuration, Connection connection) {
    this.configuration = configuration;
    this.connection = connection;
  }

  static BorrowedConnection of(Connection connection) {
    return new BorrowedConnection(null, connection);
  }

  /**
   * Borrows the connection.
   *
   * @throws dev.handofffence.DurableException DUR101 when there is none
   */
  static BorrowedConnection of(Configuration configuration) {
    Connection acquired = configuration.connectionProvider().acquire();
    if (acquired == null) {
      throw CallersTransaction.required("the Configuration has no connection");
    }
    return new BorrowedConnection(configuration, acquired);
  }

  Connection connection() {
    return connection;
  }

  /** The driver's connection, below all proxies of pools and frameworks. */
  PGConnection driverConnection() throws SQLException {
    return connection.unwrap(PGConnection.class);
  }

  /**
   * Whether the caller's Configuration yields this connection, also to the callback. A pool's data
   * source yields another one each time, whose writes would escape the fence.
   */
  boolean isTheOnlyOne() throws SQLException {
    if (configuration == null) {
      return true;
    }
    Connection again = configuration.connectionProvider().acquire();
    if (again == null) {
      return false;
    }
    try {
      return again == connection || again.unwrap(PGConnection.class) == driverConnection();
    } finally {
      configuration.connectionProvider().release(again);
    }
  }

  @Override
  public void close() {
    if (configuration != null) {
      configuration.connectionProvider().release(connection);
    }
  }
}
