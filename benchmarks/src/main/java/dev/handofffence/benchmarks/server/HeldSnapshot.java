package dev.handofffence.benchmarks.server;

import java.sql.Connection;
import java.sql.SQLException;

/** An idle transaction whose snapshot holds back every cleaning in its database. */
public final class HeldSnapshot implements AutoCloseable {

  /** Tells it from the connections of the contenders. */
  static final String APPLICATION = "bench-held-snapshot";

  private final Connection connection;

  private HeldSnapshot(Connection connection) {
    this.connection = connection;
  }

  public static HeldSnapshot open(Database database) throws SQLException {
    Connection connection = database.unpooled().getConnection();
    connection.setClientInfo("ApplicationName", APPLICATION);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    HeldSnapshot held = new HeldSnapshot(connection);
    held.check();
    return held;
  }

  /** Takes the snapshot at the first call; later ones prove that it is still held. */
  public void check() throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT pg_current_xact_id()")) {
      row.next();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.rollback();
    connection.close();
  }
}
