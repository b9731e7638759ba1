package dev.handofffence.benchmarks.server;

import java.sql.SQLException;

/** Single statements on a connection of their own. */
public final class Query {

  private Query() {}

  public static String text(Database database, String sql) throws SQLException {
    try (var connection = database.unpooled().getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  public static void execute(Database database, String sql) throws SQLException {
    try (var connection = database.unpooled().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
