package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.STORE;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;

import dev.handofffence.internal.store.StoreRow;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.Field;
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
  static final Field<?> EPOCH_LOCK =
      DSL.function("pg_advisory_xact_lock_shared", SQLDataType.OTHER, inline(EPOCH_LOCK_KEY));

  static final Statement LOCK_EPOCH_SHARED = Statement.of(select(EPOCH_LOCK));

  static final List<Field<?>> COLUMNS =
      List.of(
          STORE.STORE_ID,
          STORE.ACTIVE_EPOCH,
          STORE.SCHEMA_VERSION,
          STORE.OLDEST_READER,
          STORE.OLDEST_WRITER);

  static final Statement READ_STORE = Statement.ofRows(select(COLUMNS).from(STORE));

  /** Permit and completion commits must survive a crash, whatever the session's default is. */
  static final Statement COMMIT_DURABLY = set("synchronous_commit", inline("on"));

  /** Plans are made once for each statement and connection, and none is worth compiling. */
  private static final List<Field<String>> KEPT_PLANS =
      List.of(
          setting("plan_cache_mode", "force_generic_plan"),
          setting("enable_seqscan", "off"),
          setting("enable_bitmapscan", "off"),
          setting("enable_tidscan", "on"),
          setting("jit", "off"));

  /** See {@link #plansByKeys}. */
  private static final List<Field<String>> NESTED_LOOPS =
      List.of(setting("enable_hashjoin", "off"), setting("enable_mergejoin", "off"));

  /**
   * Begins a transaction whose loss in a crash of the server costs nothing, since a later durable
   * commit comes before any effect. Its only result is the store's row.
   */
  static final Script PRELUDE_WITHOUT_FLUSH = prelude("off");

  private StoreSql() {}

  /**
   * Acceptance commits must survive a crash, whatever the session's default is. For statements that
   * the server plans once, by the keys of rows: statistics are always of another time, and a plan
   * that is made while a table is small, and kept, would read all of it when it is large.
   */
  static List<Field<String>> keptPlansAndDurableCommit() {
    return and(KEPT_PLANS, List.of(setting("synchronous_commit", "on")));
  }

  /** Settings for statements that join a few given keys with rows, found by their keys. */
  static List<Field<String>> plansByKeys() {
    return and(KEPT_PLANS, NESTED_LOOPS);
  }

  /** Changes a setting until the end of the transaction. */
  static Statement set(String setting, Field<String> value) {
    return Statement.of(select(setting(setting, value)));
  }

  private static Script prelude(String synchronousCommit) {
    List<Field<String>> settings =
        and(plansByKeys(), List.of(setting("synchronous_commit", synchronousCommit)));
    return Script.of(Statement.of(select(settings)), LOCK_EPOCH_SHARED, READ_STORE);
  }

  private static List<Field<String>> and(List<Field<String>> some, List<Field<String>> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private static Field<String> setting(String name, String value) {
    return setting(name, inline(value));
  }

  private static Field<String> setting(String name, Field<String> value) {
    return DSL.function("set_config", SQLDataType.VARCHAR, inline(name), value, inline(true));
  }

  /** Returns the one row; null when there is none. */
  static @Nullable StoreRow store(Rows rows) {
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
