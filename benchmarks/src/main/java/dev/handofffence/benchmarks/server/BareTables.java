package dev.handofffence.benchmarks.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Tables without their indexes, the constraints that are indexes, and the foreign keys to them. All
 * of it is put back as the catalog had it, each table's indexes in the order of their age: among
 * equals the planner takes the older one.
 */
final class BareTables {

  private static final String REFERENCES =
      """
      SELECT conrelid::regclass::text,
        format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
        format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint
      WHERE contype = 'f' AND confrelid = ANY (?::regclass[])
      ORDER BY oid
      """;

  private static final String INDEXES =
      """
      SELECT i.indrelid::regclass::text,
        CASE WHEN c.oid IS NULL THEN format('DROP INDEX %s', i.indexrelid::regclass)
          ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.indrelid::regclass, c.conname) END,
        CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
          ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', i.indrelid::regclass, c.conname,
            pg_get_constraintdef(c.oid)) END
      FROM pg_index i
        LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x')
      WHERE i.indrelid = ANY (?::regclass[])
      ORDER BY i.indexrelid
      """;

  private final List<String> tables;
  private final List<Definition> references;
  private final List<Definition> indexes;

  private BareTables(List<String> tables, List<Definition> references, List<Definition> indexes) {
    this.tables = tables;
    this.references = references;
    this.indexes = indexes;
  }

  /** Takes everything away, of one table or several; a table may be named more than once. */
  static BareTables strip(Connection connection, List<String> names) throws SQLException {
    List<String> tables = asTheCatalogWrites(connection, names);
    BareTables bare =
        new BareTables(
            tables, read(connection, REFERENCES, tables), read(connection, INDEXES, tables));
    try (Statement statement = connection.createStatement()) {
      for (Definition each : bare.references) {
        statement.execute(each.drop());
      }
      for (Definition each : bare.indexes) {
        statement.execute(each.drop());
      }
    }
    return bare;
  }

  private static List<String> asTheCatalogWrites(Connection connection, List<String> names)
      throws SQLException {
    List<String> tables = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement("SELECT ?::regclass::text")) {
      for (String name : names) {
        statement.setString(1, name);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          tables.add(row.getString(1));
        }
      }
    }
    return tables.stream().distinct().toList();
  }

  private static List<Definition> read(Connection connection, String sql, List<String> tables)
      throws SQLException {
    List<Definition> definitions = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("text", tables.toArray()));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          definitions.add(new Definition(rows.getString(1), rows.getString(2), rows.getString(3)));
        }
      }
    }
    return definitions;
  }

  /** Returns a step for each table, that also marks its pages as visible and analyzes it. */
  List<Crew.Step> restorations() {
    List<Crew.Step> steps = new ArrayList<>();
    for (String table : tables) {
      List<String> created =
          indexes.stream()
              .filter(each -> each.table().equals(table))
              .map(Definition::create)
              .toList();
      steps.add(statement -> restore(statement, table, created));
    }
    return steps;
  }

  private static void restore(Statement statement, String table, List<String> indexes)
      throws SQLException {
    statement.execute("VACUUM " + table);
    for (String sql : indexes) {
      statement.execute(sql);
    }
    statement.execute("ANALYZE " + table);
  }

  void restoreReferences(Statement statement) throws SQLException {
    for (Definition each : references) {
      statement.execute(each.create());
    }
  }

  private record Definition(String table, String drop, String create) {}
}
