package dev.handofffence.benchmarks.server;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What the catalog says about the tables of a database, in words that can be compared. */
final class SchemaText {

  private static final String READ =
      """
      WITH named AS (
        SELECT c.* FROM pg_class c
        WHERE c.relnamespace::regnamespace::text NOT LIKE 'pg\\_%' AND c.relnamespace <> 'information_schema'::regnamespace)
      SELECT concat_ws(' ', 'table', c.oid::regclass, c.relpersistence, c.relreplident, c.relrowsecurity,
          c.relforcerowsecurity, c.reltablespace, c.reloptions, c.relacl) AS line
      FROM named c WHERE c.relkind IN ('r', 'p', 'v')
      UNION ALL
      SELECT concat_ws(' ', 'column', c.oid::regclass, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
          'not null', a.attnotnull, 'identity', a.attidentity, pg_get_expr(d.adbin, d.adrelid))
      FROM named c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relkind IN ('r', 'p', 'v')
      UNION ALL
      SELECT concat_ws(' ', 'constraint', c.oid::regclass, k.conname, pg_get_constraintdef(k.oid), k.convalidated,
          k.condeferrable, k.condeferred)
      FROM named c JOIN pg_constraint k ON k.conrelid = c.oid
      UNION ALL
      SELECT concat_ws(' ', 'index', row_number() OVER (PARTITION BY i.indrelid ORDER BY i.indexrelid),
          pg_get_indexdef(i.indexrelid), i.indisprimary, i.indisunique, i.indimmediate, i.indisvalid, i.indisready,
          i.indisclustered, i.indisreplident, x.reltablespace)
      FROM named c JOIN pg_index i ON i.indrelid = c.oid JOIN pg_class x ON x.oid = i.indexrelid
      UNION ALL
      SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid), t.tgenabled)
      FROM named c JOIN pg_trigger t ON t.tgrelid = c.oid
      WHERE NOT t.tgisinternal
      UNION ALL
      SELECT concat_ws(' ', 'policy', c.oid::regclass, p.polname, p.polcmd, p.polroles::regrole[],
          pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
      FROM named c JOIN pg_policy p ON p.polrelid = c.oid
      ORDER BY line
      """;

  private SchemaText() {}

  static List<String> read(Statement statement) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(READ)) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return lines;
  }

  /**
   * Compares two readings.
   *
   * @throws IllegalStateException with the difference, if there is one
   */
  static void check(List<String> before, List<String> after) {
    if (!before.equals(after)) {
      List<String> gone = new ArrayList<>(before);
      gone.removeAll(after);
      List<String> come = new ArrayList<>(after);
      come.removeAll(before);
      throw new IllegalStateException("The schema has changed: gone " + gone + ", come " + come);
    }
  }
}
