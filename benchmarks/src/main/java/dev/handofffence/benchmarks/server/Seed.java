package dev.handofffence.benchmarks.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Fills tables with many rows, in bounded transactions. */
public final class Seed {

  private static final long CHUNK = 50_000;

  private Seed() {}

  /** Runs the statements of {@link dev.handofffence.benchmarks.contender.Seedable} for 1 to n. */
  public static void insert(Database database, List<String> statements, long rows, int scopes)
      throws SQLException {
    try (Connection connection = database.unpooled().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET session_replication_role = replica; SET synchronous_commit = off");
      for (long from = 1; from <= rows; from += CHUNK) {
        for (String sql : statements) {
          statement.execute(bind(sql, from, Math.min(rows, from + CHUNK - 1), scopes));
        }
      }
      statement.execute("VACUUM (ANALYZE)");
    }
  }

  private static String bind(String sql, long from, long to, int scopes) {
    return sql.replace("{from}", Long.toString(from))
        .replace("{to}", Long.toString(to))
        .replace("{scopes}", Integer.toString(scopes));
  }
}
