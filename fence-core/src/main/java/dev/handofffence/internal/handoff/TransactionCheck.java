package dev.handofffence.internal.handoff;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.internal.transaction.CallersTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.AutoSave;

/**
 * Checks, without a statement, that a connection has a transaction in which the fence can work. The
 * isolation is the server's to know; the entry reads it.
 */
final class TransactionCheck {

  /** Its autosave no longer breaks savepoints that are set by SQL. */
  private static final DriverVersion FIRST_WITH_SOUND_AUTOSAVE = new DriverVersion(42, 7, 10);

  private TransactionCheck() {}

  /**
   * Refuses what cannot work.
   *
   * @throws DurableException DUR101 or DUR115
   */
  static void check(BorrowedConnection transaction, FenceSettings settings) throws SQLException {
    Connection connection = transaction.connection();
    CallersTransaction.require(connection);
    refuse(
        !connection.isWrapperFor(BaseConnection.class), "the connection is not the driver's own");
    checkDriver(connection, transaction.driverConnection());
    refuse(
        connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED,
        "an earlier error has aborted the transaction");
    refuse(!transaction.isTheOnlyOne(), "the Configuration yields another connection each time");
    checkEndpoint(connection, settings.endpoints());
  }

  private static void checkDriver(Connection connection, PGConnection driver) throws SQLException {
    refuse(
        driver.getAutosave() != AutoSave.NEVER
            && DriverVersion.of(connection.getMetaData()).isBefore(FIRST_WITH_SOUND_AUTOSAVE),
        "autosave is on, with which drivers before 42.7.10 break savepoints");
  }

  private static void checkEndpoint(Connection connection, Set<Endpoint> allowed)
      throws SQLException {
    if (!allowed.isEmpty()
        && !allowed.containsAll(Endpoint.of(connection.getMetaData().getURL()))) {
      throw new DurableException(
          Problem.STORE_MISMATCH, "the connection's endpoint is not a configured one");
    }
  }

  private static void refuse(boolean unusable, String observed) {
    if (unusable) {
      throw CallersTransaction.required(observed);
    }
  }
}
