package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.STORE;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * One round trip over the rows of a batch, whatever the number of its scopes, which is one
 * transaction on a connection in autocommit mode: epoch, store and scopes, then the locks of the
 * rows, then what judges and writes them.
 *
 * <p>Row-level security shows the scopes that the batch names. Nothing after the epoch is waited
 * for: while a tenant is being disabled, or somebody holds a Work, batches go on with the others.
 */
final class BatchTrip {

  private static final String SCOPES = "scopes";
  private static final String LOCKED_SCOPES = "durable.locked_scopes";

  private static final Param<String[]> SCOPES_PARAM = param(SCOPES, SQLDataType.CLOB.array());
  private static final Field<String> SCOPE = field(name("named", "scope"), SQLDataType.CLOB);

  private final Script script;

  private BatchTrip(Script script) {
    this.script = script;
  }

  /** A trip whose loss in a crash of the server costs nothing. */
  static BatchTrip withoutFlush(Statement... statements) {
    return trip("off", statements);
  }

  /** A trip that an effect, or its end, depends on. */
  static BatchTrip durable(Statement... statements) {
    return trip("on", statements);
  }

  private static BatchTrip trip(String synchronousCommit, Statement... statements) {
    Stream<Statement> head = Stream.of(enter(synchronousCommit), lockScopes());
    return new BatchTrip(
        Script.of(Stream.concat(head, Stream.of(statements)).toArray(Statement[]::new)));
  }

  /**
   * Sends it.
   *
   * @param binds of the statements, without those of the trip itself
   */
  Reply send(Connection connection, StoreIdentity store, Batch<?> batch, Binds binds)
      throws SQLException {
    Binds all =
        batch
            .binds()
            .setAll(binds)
            .set(SCOPES, batch.scopes())
            .set(ClaimKeys.STORE_ID, store.storeId())
            .set(ClaimKeys.EPOCH, store.epoch());
    List<Rows> results = new RoundTrip().add(script, all).sendAgainAndAgain(connection);
    return new Reply(StoreSql.store(results.get(0)), results.subList(1, results.size()));
  }

  /**
   * What came back.
   *
   * @param results of the statements that have columns, without the trip's own
   */
  record Reply(@Nullable StoreRow store, List<Rows> results) {}

  /** Holds for a scope whose lock this transaction has: its row is read by later statements. */
  static Condition isLocked(Field<String> scope) {
    Field<String[]> locked =
        field(select(Settings.current(LOCKED_SCOPES).cast(SQLDataType.CLOB.array())));
    return scope.eq(DSL.any(locked.cast(SQLDataType.CLOB.array())));
  }

  private static Statement enter(String synchronousCommit) {
    List<Field<?>> first = new ArrayList<>(StoreSql.plansByKeys());
    first.add(Settings.set("synchronous_commit", inline(synchronousCommit)));
    first.add(Settings.set("durable.scope_id", inline("")));
    first.add(
        Settings.set(
            "durable.scope_ids",
            DSL.function("array_to_string", SQLDataType.CLOB, SCOPES_PARAM, inline(","))));
    first.add(StoreSql.EPOCH_LOCK);
    return Statement.of(select(first));
  }

  /** The store as it is under the epoch's lock; and which scopes are free to be locked. */
  private static Statement lockScopes() {
    Field<String> locked =
        field(
            select(coalesce(DSL.arrayAgg(SCOPE).cast(SQLDataType.CLOB), inline("{}")))
                .from(DSL.table("unnest({0})", SCOPES_PARAM).as("named", "scope"))
                .where(
                    DSL.condition(
                        "pg_try_advisory_xact_lock_shared({0})", ScopeSql.lockKey(SCOPE))));
    return Statement.ofRows(
        select(StoreSql.COLUMNS)
            .select(Settings.set(LOCKED_SCOPES, locked).as("locked_scopes"))
            .from(STORE));
  }
}
