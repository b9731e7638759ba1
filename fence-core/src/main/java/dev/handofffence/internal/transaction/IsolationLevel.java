package dev.handofffence.internal.transaction;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The isolation level of a connection of the library's own. With any other than READ COMMITTED a
 * transaction keeps the snapshot from before it waited at a lock, and would judge facts that have
 * changed meanwhile: a permit under an epoch that is over.
 *
 * <p>The level is the application's to choose, by the data source, the role or the database; it is
 * refused, not changed, so that no pool gets a connection back that is not as it was.
 */
final class IsolationLevel {

  private IsolationLevel() {}

  /** Asks the server, outside a transaction. */
  static boolean isReadCommitted(Connection connection) throws SQLException {
    return connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
  }
}
