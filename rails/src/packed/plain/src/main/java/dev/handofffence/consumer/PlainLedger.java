package dev.handofffence.consumer;

import dev.handofffence.work.WorkEnvelope;
import java.sql.Connection;
import java.sql.SQLException;

/** SQL on {@code consumer.ledger}, as Ledger of consumer-it has it in jOOQ. */
final class PlainLedger {

  private static final String PREPARE =
      """
      INSERT INTO consumer.ledger AS l (scope_id, logical_operation, activity_id, attempt)
      VALUES (?, ?, ?, ?)
      ON CONFLICT (scope_id, logical_operation) DO UPDATE
      SET attempt = excluded.attempt, prepared_at = clock_timestamp()
      WHERE l.activity_id = excluded.activity_id AND l.attempt < excluded.attempt
      """;

  private PlainLedger() {}

  static boolean prepare(Connection transaction, WorkEnvelope<Receipt> work) throws SQLException {
    try (var insert = transaction.prepareStatement(PREPARE)) {
      insert.setString(1, work.scope().value());
      insert.setString(2, work.payload().logicalOperation());
      insert.setObject(3, work.activityId().value());
      insert.setInt(4, work.attempt());
      return insert.executeUpdate() == 1;
    }
  }
}
