package dev.handofffence.runtime;

import dev.handofffence.fixture.DurableDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** One session that runs the discovery function and is told the plans of its statements. */
final class DiscoveryPlans implements AutoCloseable {

  private static final Pattern BUFFERS = Pattern.compile("shared hit=(\\d+)(?: read=(\\d+))?");

  private final Connection session;

  DiscoveryPlans(DurableDatabase database) throws SQLException {
    this.session = database.superuser().getConnection();
  }

  /** Runs it for a contract, in the middle of the scopes, with more due than there are places. */
  void discover(String contract) throws SQLException {
    run(statementFor(contract));
  }

  /** Plans of the statements that ran inside of it, with what they did. */
  List<String> of(String contract) throws SQLException {
    run(
        "LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0;"
            + " SET auto_explain.log_nested_statements = on; SET auto_explain.log_analyze = on;"
            + " SET auto_explain.log_timing = off; SET auto_explain.log_level = notice");
    return run(statementFor(contract)).stream()
        .filter(plan -> plan.contains("durable.dispatch d"))
        .toList();
  }

  /** Pages that a run reads, after one that has filled the caches. */
  int pages(String contract) throws SQLException {
    discover(contract);
    try (var statement = session.createStatement();
        var rows = statement.executeQuery("EXPLAIN (ANALYZE, BUFFERS) " + statementFor(contract))) {
      while (rows.next()) {
        var buffers = BUFFERS.matcher(rows.getString(1));
        if (buffers.find()) {
          return number(buffers, 1) + number(buffers, 2);
        }
      }
      throw new IllegalStateException("No buffers in the plan");
    }
  }

  private static int number(MatchResult buffers, int group) {
    return buffers.group(group) == null ? 0 : Integer.parseInt(buffers.group(group));
  }

  private static String statementFor(String contract) {
    return "SELECT * FROM durable.discover(ARRAY ['%s'], ARRAY ['v1'], 128, 32, 1, ARRAY ['scope-50'])"
        .formatted(contract);
  }

  private List<String> run(String sql) throws SQLException {
    List<String> told = new ArrayList<>();
    try (var statement = session.createStatement()) {
      statement.execute(sql);
      for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
        told.add(w.getMessage());
      }
    }
    return told;
  }

  @Override
  public void close() throws SQLException {
    session.close();
  }
}
