package dev.handofffence.internal.sql;

import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** The id of the current transaction, in 64 bits. */
final class TransactionIdSql {

  private TransactionIdSql() {}

  /** Assigns an id when the transaction has none. */
  static Field<Long> assigned() {
    return number("pg_current_xact_id");
  }

  /** Null when the transaction has no id yet. */
  static Field<Long> ifAssigned() {
    return number("pg_current_xact_id_if_assigned");
  }

  private static Field<Long> number(String function) {
    return SessionSettings.function(function, SQLDataType.OTHER)
        .cast(SQLDataType.VARCHAR)
        .cast(SQLDataType.BIGINT);
  }
}
