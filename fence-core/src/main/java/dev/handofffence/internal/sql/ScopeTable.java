package dev.handofffence.internal.sql;

import java.util.List;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** The scopes of some requests as a table, numbered in the order in which they are locked. */
final class ScopeTable {

  private static final String ALIAS = "asked";

  /** A scope and its place in the global order. */
  record Row(int number, String scopeId) {}

  static final ArrayColumn<Row, Integer> NUMBER =
      ArrayColumn.of(ALIAS, "number", SQLDataType.INTEGER, Row::number);
  static final ArrayColumn<Row, String> SCOPE_ID =
      ArrayColumn.of(ALIAS, "scope_id", SQLDataType.VARCHAR, Row::scopeId);

  static final Table<?> ROWS = ArrayColumn.rows(ALIAS, List.of(NUMBER, SCOPE_ID));

  private ScopeTable() {}

  static void bind(Binds binds, List<Row> scopes) {
    NUMBER.bind(binds, scopes);
    SCOPE_ID.bind(binds, scopes);
  }
}
