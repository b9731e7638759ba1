package dev.handofffence.benchmarks.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills tables with many rows and leaves them as a database in service has them: vacuumed, analyzed
 * and written to disk. If it fails, the database is of no further use.
 */
public final class Seed {

  private static final long CHUNK = 100_000;
  private static final Pattern TABLE = Pattern.compile("INSERT INTO\\s+([\\w.]+)");

  private final Database database;
  private final long rows;
  private final int scopes;

  private Seed(Database database, long rows, int scopes) {
    this.database = database;
    this.rows = rows;
    this.scopes = scopes;
  }

  /**
   * Runs the statements of {@link dev.handofffence.benchmarks.contender.Seedable} for 1 to n.
   *
   * @throws IllegalStateException if the schema is not exactly what it was
   */
  public static void insert(Database database, List<String> statements, long rows, int scopes)
      throws SQLException {
    if (rows > 0) {
      new Seed(database, rows, scopes).insert(statements);
    }
  }

  /** A statement that looks for conflicts needs its index, and runs first, alone. */
  private void insert(List<String> statements) throws SQLException {
    List<String> alone = statements.stream().filter(Seed::looksForConflicts).toList();
    List<String> many = statements.stream().filter(sql -> !looksForConflicts(sql)).toList();
    try (Connection connection = Crew.connect(database);
        Statement statement = connection.createStatement()) {
      List<String> before = SchemaText.read(statement);
      for (String sql : alone) {
        statement.execute(bind(sql, 1, rows));
        statement.execute("VACUUM (ANALYZE) " + table(sql));
      }
      BareTables tables = BareTables.strip(connection, many.stream().map(Seed::table).toList());
      Crew.run(database, chunks(many));
      Crew.run(database, tables.restorations());
      tables.restoreReferences(statement);
      SchemaText.check(before, SchemaText.read(statement));
      statement.execute("CHECKPOINT");
    }
  }

  private static boolean looksForConflicts(String sql) {
    return sql.contains("ON CONFLICT");
  }

  private List<Crew.Step> chunks(List<String> statements) {
    List<Crew.Step> chunks = new ArrayList<>();
    for (long from = 1; from <= rows; from += CHUNK) {
      long first = from;
      long last = Math.min(rows, from + CHUNK - 1);
      chunks.add(
          statement -> {
            for (String sql : statements) {
              statement.execute(bind(sql, first, last));
            }
          });
    }
    return chunks;
  }

  private static String table(String sql) {
    Matcher matcher = TABLE.matcher(sql);
    if (!matcher.find()) {
      throw new IllegalArgumentException("Not an INSERT: " + sql);
    }
    return matcher.group(1);
  }

  private String bind(String sql, long from, long to) {
    return sql.replace("{from}", Long.toString(from))
        .replace("{to}", Long.toString(to))
        .replace("{scopes}", Integer.toString(scopes));
  }
}
