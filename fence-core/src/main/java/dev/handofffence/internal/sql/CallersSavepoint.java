package dev.handofffence.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * What the library does in a transaction of the caller's, so that it can be taken back: the scope
 * setting with it.
 */
public final class CallersSavepoint {

  private static final Script ENTER =
      Script.of(AcceptanceEntrySql.SAVEPOINT, AcceptanceEntrySql.REMEMBER_CALLER);
  private static final Script KEEP =
      Script.of(AcceptanceEntrySql.RESTORE_CALLER, AcceptanceEntrySql.RELEASE);
  private static final Script UNDO =
      Script.of(AcceptanceEntrySql.ROLL_BACK, AcceptanceEntrySql.RELEASE);

  private CallersSavepoint() {}

  /** Sets the savepoint and returns the transaction's isolation level. */
  public static String enter(Connection connection) throws SQLException {
    return new RoundTrip()
        .add(ENTER, new Binds())
        .send(connection, null)
        .get(0)
        .get(0)
        .get(AcceptanceEntrySql.ISOLATION);
  }

  /** Keeps what was done, and its locks. */
  public static void keep(Connection connection) throws SQLException {
    new RoundTrip().add(KEEP, new Binds()).send(connection, null);
  }

  /** Takes back what was done since, locks included. */
  public static void undo(Connection connection) throws SQLException {
    new RoundTrip().add(UNDO, new Binds()).send(connection, null);
  }
}
