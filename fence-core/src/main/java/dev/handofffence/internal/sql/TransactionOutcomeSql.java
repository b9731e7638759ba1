package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Asks what became of a transaction, together with whom is asked. */
public final class TransactionOutcomeSql {

  private static final String TRANSACTION_ID = "transaction_id";
  private static final Param<String> TRANSACTION_ID_PARAM =
      param(TRANSACTION_ID, SQLDataType.VARCHAR);

  private static final Field<Boolean> IN_RECOVERY =
      SessionSettings.function("pg_is_in_recovery", SQLDataType.BOOLEAN).as("in_recovery");

  private static final Field<String> STATUS =
      field("pg_catalog.pg_xact_status({0}::text::xid8)", SQLDataType.VARCHAR, TRANSACTION_ID_PARAM)
          .as("status");

  private static final Script WHO =
      Script.of(StoreSql.READ_STORE, Statement.ofRows(select(IN_RECOVERY)));

  private static final Script STATUS_OF = Script.of(Statement.ofRows(select(STATUS)));

  private TransactionOutcomeSql() {}

  /**
   * Who answered, and what.
   *
   * @param status as PostgreSQL words it; null when it no longer remembers, or was not asked
   */
  public record Answer(@Nullable StoreRow store, boolean inRecovery, @Nullable String status) {}

  /** Asks in one round trip. Fails with 22023 for an id that the server has never given out. */
  public static Answer ask(Connection connection, long transactionId) throws SQLException {
    Binds binds = new Binds().set(TRANSACTION_ID, Long.toUnsignedString(transactionId));
    List<Rows> rows =
        new RoundTrip().add(WHO, new Binds()).add(STATUS_OF, binds).send(connection, null);
    return answer(rows, rows.get(2).get(0).get(STATUS));
  }

  /** Asks only who answers. */
  public static Answer identify(Connection connection) throws SQLException {
    return answer(new RoundTrip().add(WHO, new Binds()).send(connection, null), null);
  }

  private static Answer answer(List<Rows> rows, @Nullable String status) {
    return new Answer(StoreSql.store(rows.get(0)), rows.get(1).get(0).get(IN_RECOVERY), status);
  }
}
