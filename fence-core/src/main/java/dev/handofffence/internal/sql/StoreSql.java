package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.STORE;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;

import dev.handofffence.internal.store.StoreRow;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The epoch lock and the store row: what every runtime transaction begins with. */
final class StoreSql {

  /**
   * Documented in the first migration, as {@code durable.epoch_lock_key()}; written out so that a
   * missing schema is found by its table.
   */
  static final long EPOCH_LOCK_KEY = 7521414230330205697L;

  /**
   * Shared, so that rotation and migrations wait for this transaction; the row is read by a later
   * statement.
   */
  static final Statement LOCK_EPOCH_SHARED =
      Statement.of(
          select(
              DSL.function(
                  "pg_advisory_xact_lock_shared", SQLDataType.OTHER, inline(EPOCH_LOCK_KEY))));

  static final Statement READ_STORE =
      Statement.ofRows(
          select(
                  STORE.STORE_ID,
                  STORE.ACTIVE_EPOCH,
                  STORE.SCHEMA_VERSION,
                  STORE.OLDEST_READER,
                  STORE.OLDEST_WRITER)
              .from(STORE));

  /** Permit and completion commits must survive a crash, whatever the session's default is. */
  static final Statement COMMIT_DURABLY = set("synchronous_commit", inline("on"));

  /**
   * Begins a transaction whose loss in a crash of the server costs nothing, since a later durable
   * commit comes before any effect. Its only result is the store's row.
   */
  static final Script PRELUDE_WITHOUT_FLUSH =
      Script.of(set("synchronous_commit", inline("off")), LOCK_EPOCH_SHARED, READ_STORE);

  /** Begins a transaction that an effect, or its end, depends on. */
  static final Script DURABLE_PRELUDE = Script.of(COMMIT_DURABLY, LOCK_EPOCH_SHARED, READ_STORE);

  private StoreSql() {}

  /** Changes a setting until the end of the transaction. */
  static Statement set(String setting, Field<String> value) {
    return Statement.of(
        select(
            DSL.function("set_config", SQLDataType.VARCHAR, inline(setting), value, inline(true))));
  }

  /** Returns the one row; null when there is none. */
  static @Nullable StoreRow store(Result<Record> rows) {
    List<StoreRow> stores =
        rows.map(
            r ->
                new StoreRow(
                    r.get(STORE.STORE_ID),
                    r.get(STORE.ACTIVE_EPOCH),
                    r.get(STORE.SCHEMA_VERSION),
                    r.get(STORE.OLDEST_READER),
                    r.get(STORE.OLDEST_WRITER)));
    return stores.isEmpty() ? null : stores.get(0);
  }
}
