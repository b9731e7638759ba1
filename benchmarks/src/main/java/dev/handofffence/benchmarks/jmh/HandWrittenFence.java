package dev.handofffence.benchmarks.jmh;

import dev.handofffence.benchmarks.server.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The sequence of a handoff as somebody would write it who has one connection and needs nothing
 * else: the same locks, the same guards, three round trips, statements prepared once.
 */
final class HandWrittenFence implements AutoCloseable {

  private static final String USABLE =
      "current_setting('transaction_isolation') = 'read committed'"
          + " AND current_setting('transaction_read_only') = 'off'";

  private static final String STORE_HOLDS =
      USABLE
          + " AND store_id = :store AND active_epoch = :epoch AND schema_version >= 1 AND"
          + " oldest_writer <= 1 AND oldest_reader <= oldest_writer AND oldest_writer <="
          + " schema_version";

  private static final String LOCK =
      "WITH s AS (SELECT generation, scope.state FROM durable.scope, durable.store WHERE scope_id ="
          + " :scope AND "
          + STORE_HOLDS
          + "), w AS (SELECT state, attempt, lease_generation, lease_owner, scope_generation, epoch,"
          + " cancel_requested_at FROM durable.work WHERE scope_id = :scope AND work_id = :work AND"
          + " EXISTS (SELECT FROM s WHERE generation = :scopeGeneration AND state = 'active') FOR NO"
          + " KEY UPDATE), d AS (SELECT lease_generation, lease_owner FROM durable.dispatch WHERE"
          + " scope_id = :scope AND work_id = :work AND EXISTS (SELECT FROM w WHERE state ="
          + " 'permitted' AND attempt = :attempt AND lease_generation = :lease AND lease_owner ="
          + " :owner AND scope_generation = :scopeGeneration AND epoch = :epoch) FOR KEY SHARE), p AS"
          + " (SELECT state, attempt, lease_owner, scope_generation, epoch FROM durable.permit WHERE"
          + " scope_id = :scope AND work_id = :work AND lease_generation = :lease AND EXISTS (SELECT"
          + " FROM d WHERE lease_generation = :lease AND lease_owner = :owner) FOR NO KEY UPDATE)"
          + " SELECT s.*, w.*, d.*, p.* FROM s LEFT JOIN w ON true LEFT JOIN d ON true LEFT JOIN p ON"
          + " true";

  private static final String SESSION =
      "SELECT coalesce(current_setting('durable.scope_id', true), ''),"
          + " coalesce(current_setting('durable.handoff', true), ''), current_user, session_user,"
          + " current_setting('search_path'), current_setting('transaction_isolation'),"
          + " current_setting('transaction_read_only'), current_setting('synchronous_commit'),"
          + " coalesce(pg_current_xact_id_if_assigned()::text::bigint, 0)";

  private static final String TIME =
      "SELECT d.lease_expires_at > clock_timestamp(), w.deadline_at <= clock_timestamp(),"
          + " pg_current_xact_id()::text::bigint FROM durable.dispatch d, durable.work w";

  private static final String OF_WORK =
      " WHERE d.scope_id = :scope AND d.work_id = :work AND w.scope_id = :scope AND w.work_id ="
          + " :work";

  private static final String TIMES = TIME + OF_WORK;

  private static final String TIMES_AT_ENTRY =
      TIME
          + ", durable.permit p"
          + OF_WORK
          + " AND d.lease_generation = :lease AND d.lease_owner = :owner AND p.scope_id = :scope AND"
          + " p.work_id = :work AND p.lease_generation = :lease";

  private static final String ENTER =
      String.join(
          ";\n",
          "SAVEPOINT durable_op",
          SESSION,
          "SELECT pg_advisory_xact_lock_shared(7521414230330205697) WHERE " + USABLE,
          "SELECT store_id, active_epoch, schema_version, oldest_reader, oldest_writer FROM"
              + " durable.store",
          "SELECT set_config('durable.scope_id', :scope, true),"
              + " pg_advisory_xact_lock_shared(hashtextextended(:scope, 7521414230330205698)) FROM"
              + " durable.store WHERE "
              + STORE_HOLDS,
          LOCK,
          TIMES_AT_ENTRY,
          "SAVEPOINT durable_cb",
          "SELECT set_config('durable.handoff', :mark, true)");

  private static final String RECHECK =
      String.join(
          ";\n",
          SESSION,
          TIMES,
          "SELECT set_config('durable.scope_id', :priorScope, :priorScope <> ''),"
              + " set_config('durable.handoff', :priorMark, true)");

  private static final String KEEP = "RELEASE SAVEPOINT durable_cb;\nRELEASE SAVEPOINT durable_op";

  private final PreparedStatement enter;
  private final PreparedStatement recheck;
  private final PreparedStatement keep;
  private final NamedParameters entry = NamedParameters.of(ENTER);
  private final NamedParameters exit = NamedParameters.of(RECHECK);
  private final Map<String, Object> binds;

  private HandWrittenFence(Connection connection, ClaimValues claim) throws SQLException {
    this.enter = connection.prepareStatement(entry.sql());
    this.recheck = connection.prepareStatement(exit.sql());
    this.keep = connection.prepareStatement(KEEP);
    this.binds = new HashMap<>(claim.byName());
    binds.put("priorScope", "");
    binds.put("priorMark", "");
  }

  /** Prepares the statements for the claim of a Work that is permitted. */
  static HandWrittenFence of(Connection connection, Database superuser, UUID workId)
      throws SQLException {
    return new HandWrittenFence(connection, ClaimValues.read(superuser, workId));
  }

  /** Hands off without a callback; true when every fact holds. */
  boolean execute() throws SQLException {
    binds.put("mark", UUID.randomUUID().toString());
    List<Integer> rows = walk(enter, entry.values(binds));
    boolean holds = rows.stream().allMatch(count -> count == 1);
    return holds
        && walk(recheck, exit.values(binds)).size() == 3
        && walk(keep, List.of()).isEmpty();
  }

  /** Executes and reads every column of every row; returns the number of rows of each result. */
  private static List<Integer> walk(PreparedStatement statement, List<Object> binds)
      throws SQLException {
    for (int i = 0; i < binds.size(); i++) {
      statement.setObject(i + 1, binds.get(i));
    }
    List<Integer> counts = new ArrayList<>();
    boolean rows = statement.execute();
    while (rows || statement.getUpdateCount() != -1) {
      if (rows) {
        counts.add(read(statement.getResultSet()));
      }
      rows = statement.getMoreResults();
    }
    return counts;
  }

  private static int read(ResultSet rows) throws SQLException {
    int columns = rows.getMetaData().getColumnCount();
    int count = 0;
    while (rows.next()) {
      for (int column = 1; column <= columns; column++) {
        rows.getObject(column);
      }
      count++;
    }
    return count;
  }

  @Override
  public void close() throws SQLException {
    enter.close();
    recheck.close();
    keep.close();
  }
}
