package dev.handofffence.consumer;

import dev.handofffence.ScopeId;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * A READ COMMITTED transaction on a connection of its own. Closing it rolls back what was not
 * committed and returns the connection.
 */
final class ApplicationTransaction implements AutoCloseable {

  private final Connection connection;

  private ApplicationTransaction(Connection connection) {
    this.connection = connection;
  }

  static ApplicationTransaction begin(DataSource source) throws SQLException {
    Connection connection = source.getConnection();
    try {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      return new ApplicationTransaction(connection);
    } catch (SQLException e) {
      try (connection) {
        throw e;
      }
    }
  }

  /** Begins a transaction that sees the rows of one tenant; the fence does the same by itself. */
  static ApplicationTransaction begin(DataSource source, ScopeId scope) throws SQLException {
    ApplicationTransaction transaction = begin(source);
    transaction
        .dsl()
        .select(DSL.field("set_config('durable.scope_id', {0}, true)", DSL.val(scope.value())))
        .fetch();
    return transaction;
  }

  DSLContext dsl() {
    return DSL.using(connection, SQLDialect.POSTGRES);
  }

  void commit() throws SQLException {
    connection.commit();
  }

  @Override
  public void close() throws SQLException {
    try (connection) {
      connection.rollback();
    }
  }
}
