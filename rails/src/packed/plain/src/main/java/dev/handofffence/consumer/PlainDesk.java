package dev.handofffence.consumer;

import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.WorkAcceptance;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Where receipts are asked for, and where somebody changes their mind. */
record PlainDesk(DataSource database, WorkAcceptance work) {

  /** Accepts the Work and grants the permission in one transaction. */
  AcceptedWork request(ScopeId scope, CommandId command, Receipt receipt) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      bind(connection, scope);
      AcceptedWork accepted =
          work.accept(
                  connection,
                  ReceiptWork.SEND.request(
                      scope, command, IdempotencyKey.of(command.value()), receipt))
              .orElseThrow();
      update(
          connection,
          "INSERT INTO consumer.authority (scope_id, operation_key, is_authorized)"
              + " VALUES (?, ?, true) ON CONFLICT DO NOTHING",
          scope,
          receipt);
      connection.commit();
      return accepted;
    }
  }

  /** Takes the permission away; committed on return. */
  void revoke(ScopeId scope, Receipt receipt) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      bind(connection, scope);
      update(
          connection,
          "UPDATE consumer.authority SET is_authorized = false"
              + " WHERE scope_id = ? AND operation_key = ?",
          scope,
          receipt);
      connection.commit();
    }
  }

  private static void bind(Connection connection, ScopeId scope) throws SQLException {
    try (var bind = connection.prepareStatement("SELECT set_config('durable.scope_id', ?, true)")) {
      bind.setString(1, scope.value());
      bind.execute();
    }
  }

  private static void update(Connection connection, String sql, ScopeId scope, Receipt receipt)
      throws SQLException {
    try (var statement = connection.prepareStatement(sql)) {
      statement.setString(1, scope.value());
      statement.setString(2, receipt.authorityKey());
      statement.executeUpdate();
    }
  }
}
