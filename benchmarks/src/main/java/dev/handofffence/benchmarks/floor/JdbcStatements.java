package dev.handofffence.benchmarks.floor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The statements of one worker, prepared once; each is a commit of its own. */
final class JdbcStatements implements AutoCloseable {

  private final Connection connection;
  private final PreparedStatement claim;
  private final PreparedStatement permit;
  private final PreparedStatement complete;
  private final PreparedStatement completeAll;

  JdbcStatements(Connection connection, int owner, JdbcSteps steps) throws SQLException {
    this.connection = connection;
    this.claim = connection.prepareStatement(claim(owner, steps.batch()));
    this.permit =
        connection.prepareStatement(
            "UPDATE job SET state = 2 WHERE id = ? AND state = 1 AND lease_owner = " + owner);
    int running = steps.permit() ? 2 : 1;
    String end =
        "UPDATE job SET state = 3 WHERE state = " + running + " AND lease_owner = " + owner;
    this.complete = connection.prepareStatement(end + " AND id = ?");
    this.completeAll = connection.prepareStatement(end + " AND id = ANY (?)");
  }

  /** now() and not clock_timestamp(), so that the time can be an index condition. */
  private static String claim(int owner, int batch) {
    return """
        UPDATE job SET state = 1, lease_owner = %d, lease_expires_at = now() + interval '30 s'
        WHERE id = ANY (ARRAY (
          SELECT id FROM job WHERE state = 0 AND due_at <= now()
          ORDER BY due_at LIMIT %d FOR UPDATE SKIP LOCKED))
        RETURNING id, payload
        """
        .formatted(owner, batch);
  }

  List<Job> claim() throws SQLException {
    List<Job> claimed = new ArrayList<>();
    try (var rows = claim.executeQuery()) {
      while (rows.next()) {
        claimed.add(new Job(rows.getLong(1), rows.getString(2)));
      }
    }
    return claimed;
  }

  void permit(Job job) throws SQLException {
    permit.setLong(1, job.id());
    check(permit.executeUpdate(), 1);
  }

  void complete(Job job) throws SQLException {
    complete.setLong(1, job.id());
    check(complete.executeUpdate(), 1);
  }

  void completeAll(List<Job> jobs) throws SQLException {
    Object[] ids = jobs.stream().map(Job::id).toArray();
    completeAll.setArray(1, connection.createArrayOf("bigint", ids));
    check(completeAll.executeUpdate(), ids.length);
  }

  private static void check(int rows, int expected) {
    if (rows != expected) {
      throw new IllegalStateException("Lost the lease of " + (expected - rows) + " jobs");
    }
  }

  @Override
  public void close() throws SQLException {
    claim.close();
    permit.close();
    complete.close();
    completeAll.close();
  }
}
