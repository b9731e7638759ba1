package dev.handofffence.benchmarks.fence;

import dev.handofffence.work.WorkEnvelope;
import java.sql.Connection;
import java.sql.SQLException;

/** What an application decides with and records in: permission locked, ledger row written. */
public final class ApplicationTables {

  private static final int KEYS = 1_000;

  static final String DDL =
      """
      CREATE SCHEMA app;
      CREATE TABLE app.authority (
        operation_key integer PRIMARY KEY,
        is_authorized boolean NOT NULL
      );
      INSERT INTO app.authority SELECT key, true FROM generate_series(0, %d) AS key;
      CREATE TABLE app.ledger (
        scope_id text NOT NULL,
        activity_id uuid NOT NULL,
        attempt integer NOT NULL,
        prepared_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (scope_id, activity_id)
      );
      """
          .formatted(KEYS - 1);

  private static final String LOCK =
      "SELECT is_authorized FROM app.authority WHERE operation_key = ? FOR UPDATE";

  private static final String PREPARE =
      """
      INSERT INTO app.ledger AS held (scope_id, activity_id, attempt) VALUES (?, ?, ?)
      ON CONFLICT (scope_id, activity_id) DO UPDATE SET attempt = excluded.attempt
      WHERE held.attempt < excluded.attempt
      """;

  private ApplicationTables() {}

  /** Locks and checks the permission, then writes the ledger: two round trips. */
  static boolean authorizeAndRecord(Connection transaction, WorkEnvelope<String> work)
      throws SQLException {
    return isAuthorized(transaction, Math.floorMod(work.activityId().hashCode(), KEYS))
        && prepare(transaction, work);
  }

  private static boolean isAuthorized(Connection transaction, int key) throws SQLException {
    try (var statement = transaction.prepareStatement(LOCK)) {
      statement.setInt(1, key);
      try (var row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  private static boolean prepare(Connection transaction, WorkEnvelope<String> work)
      throws SQLException {
    try (var statement = transaction.prepareStatement(PREPARE)) {
      statement.setString(1, work.scope().value());
      statement.setObject(2, work.activityId().value());
      statement.setInt(3, work.attempt());
      return statement.executeUpdate() == 1;
    }
  }
}
