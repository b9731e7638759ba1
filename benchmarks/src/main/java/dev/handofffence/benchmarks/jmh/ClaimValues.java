package dev.handofffence.benchmarks.jmh;

import dev.handofffence.benchmarks.server.Database;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

/**
 * The identity of a claim, as its row has it.
 *
 * @param byName the values of the named parameters
 */
record ClaimValues(Map<String, Object> byName) {

  private static final String CLAIM =
      """
      SELECT store_id, active_epoch, scope_id, scope_generation, work_id, attempt, lease_generation,
        lease_owner
      FROM durable.work, durable.store WHERE work_id = ?
      """;

  static ClaimValues read(Database superuser, UUID workId) throws SQLException {
    try (var connection = superuser.unpooled().getConnection();
        var statement = connection.prepareStatement(CLAIM)) {
      statement.setObject(1, workId);
      try (var row = statement.executeQuery()) {
        row.next();
        return new ClaimValues(
            Map.of(
                "store", row.getObject(1, UUID.class),
                "epoch", row.getObject(2, UUID.class),
                "scope", row.getString(3),
                "scopeGeneration", row.getLong(4),
                "work", row.getObject(5, UUID.class),
                "attempt", row.getInt(6),
                "lease", row.getLong(7),
                "owner", row.getObject(8, UUID.class)));
      }
    }
  }
}
