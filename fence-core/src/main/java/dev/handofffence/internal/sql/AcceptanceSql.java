package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.STORE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_HISTORY;
import static dev.handofffence.generated.Tables.WORK_IDENTITY;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static dev.handofffence.internal.sql.Existence.exists;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.with;

import dev.handofffence.generated.tables.WorkIdentity;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.store.StoreCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Accepting the requests of one scope (protocol section 4).
 *
 * <p>Everything goes in one trip, so no statement can be left out by the client: each one that
 * locks or writes is guarded by the facts before it, all of them locked by then. On a refusal they
 * find nothing to do.
 */
final class AcceptanceSql {

  static final String STORE_ID = "store_id";
  static final String EPOCH = "epoch";

  /** Transaction-local settings of ours: a trip has no other place to keep what it has found. */
  private static final String CALLER_SCOPE = "durable.caller_scope";

  private static final String LOCKED_SCOPE = "durable.locked_scope";
  private static final String SCOPE_SETTING = "durable.scope_id";

  private static final Param<UUID> STORE_ID_PARAM = param(STORE_ID, SQLDataType.UUID);
  private static final Param<UUID> EPOCH_PARAM = param(EPOCH, SQLDataType.UUID);

  static final Statement SAVEPOINT = Statement.ofText("SAVEPOINT durable_accept");
  static final Statement RELEASE = Statement.ofText("RELEASE SAVEPOINT durable_accept");
  static final Statement ROLL_BACK = Statement.ofText("ROLLBACK TO SAVEPOINT durable_accept");

  static final Field<String> ISOLATION = setting("transaction_isolation").as("isolation");

  /** Keeps the caller's scope and reads what the caller's transaction is. */
  static final Statement REMEMBER_CALLER =
      Statement.ofRows(
          select(ISOLATION, set(CALLER_SCOPE, coalesce(setting(SCOPE_SETTING), inline("")))));

  static final Statement RESTORE_CALLER =
      Statement.of(select(set(SCOPE_SETTING, setting(CALLER_SCOPE))));

  /** With another isolation level later statements would judge facts older than their locks. */
  private static final Condition READ_COMMITTED =
      setting("transaction_isolation").eq(inline("read committed"));

  static final Statement LOCK_EPOCH =
      Statement.of(select(sharedLock(inline(StoreSql.EPOCH_LOCK_KEY))).where(READ_COMMITTED));

  /** {@link StoreCheck#problem} finds nothing, said in SQL; the epoch lock keeps it true. */
  private static final Condition STORE_IS_OURS =
      READ_COMMITTED.and(
          exists(
              selectOne()
                  .from(STORE)
                  .where(STORE.STORE_ID.eq(STORE_ID_PARAM))
                  .and(STORE.ACTIVE_EPOCH.eq(EPOCH_PARAM))
                  .and(STORE.SCHEMA_VERSION.ge(inline(StoreCheck.SCHEMA_VERSION)))
                  .and(STORE.OLDEST_WRITER.le(inline(StoreCheck.SCHEMA_VERSION)))
                  .and(STORE.OLDEST_READER.le(STORE.OLDEST_WRITER))
                  .and(STORE.OLDEST_WRITER.le(STORE.SCHEMA_VERSION))));

  static final Statement BIND_SCOPE =
      Statement.of(
          select(set(SCOPE_SETTING, ScopeSql.SCOPE_ID_PARAM), set(LOCKED_SCOPE, inline(""))));

  /** Its trigger takes the scope lock exclusively, and waits for another first use to end. */
  static final Statement USE_FIRST =
      Statement.of(
          insertInto(SCOPE)
              .columns(SCOPE.SCOPE_ID)
              .select(select(ScopeSql.SCOPE_ID_PARAM).where(STORE_IS_OURS))
              .onConflictDoNothing());

  /**
   * Only a scope that exists: two first uses that both held the lock shared could never get it
   * exclusively.
   */
  static final Statement LOCK_SCOPE =
      Statement.of(
          select(sharedLock(ScopeSql.SCOPE_LOCK_KEY), set(LOCKED_SCOPE, ScopeSql.SCOPE_ID_PARAM))
              .from(SCOPE)
              .where(SCOPE.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
              .and(STORE_IS_OURS));

  private static final Condition SCOPE_IS_LOCKED =
      setting(LOCKED_SCOPE).eq(ScopeSql.SCOPE_ID_PARAM);

  /** No row: the scope is not locked, and was absent when it should have been. */
  static final Statement READ_SCOPE =
      Statement.ofRows(
          select(SCOPE.STATE)
              .from(SCOPE)
              .where(SCOPE.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
              .and(SCOPE_IS_LOCKED));

  private static final Field<Instant> NOW = field(name("sampled", "now"), SQLDataType.INSTANT);
  private static final Field<Long> GENERATION =
      field(name("usable", "generation"), SQLDataType.BIGINT);
  private static final Field<UUID> NEW_WORK_ID =
      field(name("identified", "work_id"), SQLDataType.UUID);
  private static final Field<Instant> ACCEPTED_AT =
      field(name("identified", "accepted_at"), SQLDataType.INSTANT);
  private static final Condition IS_NEW = RequestTable.WORK_ID.field().eq(NEW_WORK_ID);

  private static final CommonTableExpression<?> USABLE =
      name("usable")
          .as(
              select(SCOPE.GENERATION)
                  .from(SCOPE)
                  .where(SCOPE.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                  .and(SCOPE.STATE.eq(inline(ScopeState.ACTIVE, SCOPE.STATE)))
                  .and(SCOPE_IS_LOCKED));
  private static final CommonTableExpression<?> SAMPLED =
      name("sampled")
          .asMaterialized(select(DSL.function("clock_timestamp", SQLDataType.INSTANT).as("now")));
  private static final Table<?> REQUESTED = table(name("requested"));
  private static final CommonTableExpression<?> IDENTIFIED = identityRows();

  static final Statement ACCEPT = Statement.of(accept(RequestTable.REQUESTED));

  /** For a single request. */
  static final Statement ACCEPT_ONE = Statement.of(accept(RequestTable.REQUEST));

  private static final WorkIdentity BY_COMMAND = WORK_IDENTITY.as("by_command");
  private static final WorkIdentity BY_KEY = WORK_IDENTITY.as("by_key");

  static final Field<UUID> KNOWN_WORK_ID =
      coalesce(BY_COMMAND.WORK_ID, BY_KEY.WORK_ID).as("known_work_id");
  static final Field<UUID> KNOWN_ACTIVITY_ID =
      coalesce(BY_COMMAND.ACTIVITY_ID, BY_KEY.ACTIVITY_ID).as("known_activity_id");

  /** The fingerprint holds the idempotency key, so two different rows never both match. */
  static final Field<Boolean> SAME_CONTENT =
      field(
              coalesce(BY_COMMAND.FINGERPRINT, RequestTable.FINGERPRINT.field())
                  .eq(RequestTable.FINGERPRINT.field())
                  .and(
                      coalesce(BY_KEY.FINGERPRINT, RequestTable.FINGERPRINT.field())
                          .eq(RequestTable.FINGERPRINT.field())))
          .as("same_content");

  static final Statement READ_IDENTITIES = readIdentities(RequestTable.REQUESTED_IDENTITIES);

  /** For a single request. */
  static final Statement READ_IDENTITY = readIdentities(RequestTable.REQUEST_IDENTITY);

  private AcceptanceSql() {}

  /**
   * One statement: only what got an identity row gets the other rows. The time is sampled once; a
   * wait for a concurrent duplicate can only make it earlier than the commit.
   */
  private static Query accept(Table<?> requests) {
    CommonTableExpression<?> requested =
        name("requested").as(select(RequestTable.fields()).from(requests));
    return with(requested, USABLE, SAMPLED, IDENTIFIED, workRows(), snapshotRows(), dispatchRows())
        .insertInto(WORK_HISTORY)
        .columns(
            WORK_HISTORY.SCOPE_ID,
            WORK_HISTORY.WORK_ID,
            WORK_HISTORY.RECORDED_AT,
            WORK_HISTORY.EVENT,
            WORK_HISTORY.REVISION,
            WORK_HISTORY.STATE,
            WORK_HISTORY.ATTEMPT,
            WORK_HISTORY.LEASE_GENERATION)
        .select(
            select(
                    ScopeSql.SCOPE_ID_PARAM,
                    NEW_WORK_ID,
                    ACCEPTED_AT,
                    inline("accepted"),
                    inline(1L),
                    inline(WorkState.READY, WORK_HISTORY.STATE),
                    inline(0),
                    inline(0L))
                .from(IDENTIFIED));
  }

  /** After the insert, which waited for every uncommitted holder of the same identity. */
  private static Statement readIdentities(Table<?> requests) {
    return Statement.ofRows(
        select(RequestTable.POSITION.field(), KNOWN_WORK_ID, KNOWN_ACTIVITY_ID, SAME_CONTENT)
            .from(requests)
            .leftJoin(BY_COMMAND)
            .on(BY_COMMAND.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
            .and(BY_COMMAND.COMMAND_ID.eq(RequestTable.COMMAND_ID.field()))
            .leftJoin(BY_KEY)
            .on(BY_KEY.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
            .and(BY_KEY.IDEMPOTENCY_KEY.eq(RequestTable.IDEMPOTENCY_KEY.field())));
  }

  private static CommonTableExpression<?> identityRows() {
    return name("identified")
        .as(
            insertInto(WORK_IDENTITY)
                .columns(
                    WORK_IDENTITY.SCOPE_ID,
                    WORK_IDENTITY.COMMAND_ID,
                    WORK_IDENTITY.IDEMPOTENCY_KEY,
                    WORK_IDENTITY.FINGERPRINT,
                    WORK_IDENTITY.WORK_ID,
                    WORK_IDENTITY.ACTIVITY_ID,
                    WORK_IDENTITY.ACCEPTED_AT)
                .select(
                    select(
                            ScopeSql.SCOPE_ID_PARAM,
                            RequestTable.COMMAND_ID.field(),
                            RequestTable.IDEMPOTENCY_KEY.field(),
                            RequestTable.FINGERPRINT.field(),
                            RequestTable.WORK_ID.field(),
                            RequestTable.ACTIVITY_ID.field(),
                            NOW)
                        .from(REQUESTED, USABLE, SAMPLED)
                        .where(RequestTable.DEADLINE.field().isNull())
                        .or(RequestTable.DEADLINE.field().gt(NOW))
                        // One order for all, so that two batches of the same commands do not
                        // deadlock.
                        .orderBy(RequestTable.COMMAND_ID.field(), RequestTable.POSITION.field()))
                .onConflictDoNothing()
                .returning(WORK_IDENTITY.WORK_ID, WORK_IDENTITY.ACCEPTED_AT));
  }

  private static CommonTableExpression<?> workRows() {
    return name("new_work")
        .as(
            insertInto(WORK)
                .columns(
                    WORK.SCOPE_ID,
                    WORK.WORK_ID,
                    WORK.SCOPE_GENERATION,
                    WORK.EPOCH,
                    WORK.DEADLINE_AT)
                .select(
                    select(
                            ScopeSql.SCOPE_ID_PARAM,
                            NEW_WORK_ID,
                            GENERATION,
                            EPOCH_PARAM,
                            RequestTable.DEADLINE.field())
                        .from(IDENTIFIED)
                        .join(REQUESTED)
                        .on(IS_NEW)
                        .crossJoin(USABLE))
                .returning(WORK.WORK_ID));
  }

  private static CommonTableExpression<?> snapshotRows() {
    return name("new_snapshot")
        .as(
            insertInto(WORK_SNAPSHOT)
                .columns(
                    WORK_SNAPSHOT.SCOPE_ID,
                    WORK_SNAPSHOT.WORK_ID,
                    WORK_SNAPSHOT.ACTIVITY_ID,
                    WORK_SNAPSHOT.CONTRACT_NAME,
                    WORK_SNAPSHOT.CONTRACT_VERSION,
                    WORK_SNAPSHOT.PAYLOAD_FORMAT,
                    WORK_SNAPSHOT.PAYLOAD,
                    WORK_SNAPSHOT.PAYLOAD_SHA256,
                    WORK_SNAPSHOT.PROVIDER_SAFETY,
                    WORK_SNAPSHOT.PRIORITY,
                    WORK_SNAPSHOT.MAX_ATTEMPTS,
                    WORK_SNAPSHOT.RETRY_INITIAL,
                    WORK_SNAPSHOT.RETRY_MAXIMUM,
                    WORK_SNAPSHOT.ELAPSED_HORIZON,
                    WORK_SNAPSHOT.LEASE_DURATION,
                    WORK_SNAPSHOT.LEASE_MAX_LIFETIME,
                    WORK_SNAPSHOT.ATTEMPT_OFFSETS,
                    WORK_SNAPSHOT.CIRCUIT_DURATION,
                    WORK_SNAPSHOT.ACCEPTED_AT)
                .select(
                    select(
                            ScopeSql.SCOPE_ID_PARAM,
                            NEW_WORK_ID,
                            RequestTable.ACTIVITY_ID.field(),
                            RequestTable.CONTRACT_NAME.field(),
                            RequestTable.CONTRACT_VERSION.field(),
                            RequestTable.PAYLOAD_FORMAT.field(),
                            RequestTable.PAYLOAD.field(),
                            RequestTable.PAYLOAD_SHA256.field(),
                            RequestTable.PROVIDER_SAFETY
                                .field()
                                .coerce(WORK_SNAPSHOT.PROVIDER_SAFETY),
                            RequestTable.PRIORITY.field().cast(SQLDataType.SMALLINT),
                            RequestTable.MAX_ATTEMPTS.field(),
                            interval(RequestTable.RETRY_INITIAL.field()),
                            interval(RequestTable.RETRY_MAXIMUM.field()),
                            interval(RequestTable.ELAPSED_HORIZON.field()),
                            interval(RequestTable.LEASE_DURATION.field()),
                            interval(RequestTable.LEASE_MAX_LIFETIME.field()),
                            RequestTable.ATTEMPT_OFFSETS
                                .field()
                                .cast(WORK_SNAPSHOT.ATTEMPT_OFFSETS),
                            interval(RequestTable.CIRCUIT_DURATION.field()),
                            ACCEPTED_AT)
                        .from(IDENTIFIED)
                        .join(REQUESTED)
                        .on(IS_NEW))
                .returning(WORK_SNAPSHOT.WORK_ID));
  }

  private static CommonTableExpression<?> dispatchRows() {
    return name("new_dispatch")
        .as(
            insertInto(DISPATCH)
                .columns(
                    DISPATCH.SCOPE_ID,
                    DISPATCH.WORK_ID,
                    DISPATCH.CONTRACT_NAME,
                    DISPATCH.CONTRACT_VERSION,
                    DISPATCH.PRIORITY,
                    DISPATCH.DUE_AT)
                .select(
                    select(
                            ScopeSql.SCOPE_ID_PARAM,
                            NEW_WORK_ID,
                            RequestTable.CONTRACT_NAME.field(),
                            RequestTable.CONTRACT_VERSION.field(),
                            RequestTable.PRIORITY.field().cast(SQLDataType.SMALLINT),
                            later(ACCEPTED_AT, RequestTable.DELAY.field()))
                        .from(IDENTIFIED)
                        .join(REQUESTED)
                        .on(IS_NEW))
                .returning(DISPATCH.WORK_ID));
  }

  private static Field<String> setting(String name) {
    return DSL.function("current_setting", SQLDataType.VARCHAR, inline(name), inline(true));
  }

  private static Field<String> set(String name, Field<String> value) {
    return DSL.function("set_config", SQLDataType.VARCHAR, inline(name), value, inline(true));
  }

  private static Field<Object> sharedLock(Field<Long> key) {
    return DSL.function("pg_advisory_xact_lock_shared", SQLDataType.OTHER, key);
  }

  /** Hours stay hours: a day of a time zone that changes its clocks has another length. */
  private static Field<Duration> interval(Field<Long> micros) {
    return field(
        "{0} * interval '1 microsecond'", WORK_SNAPSHOT.RETRY_INITIAL.getDataType(), micros);
  }

  private static Field<Instant> later(Field<Instant> time, Field<Long> micros) {
    return field("{0} + {1}", SQLDataType.INSTANT, time, interval(micros));
  }
}
