package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_IDENTITY;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.resultQuery;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.with;

import dev.handofffence.generated.type.ScopeState;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Writing the rows of new Work (protocol section 4), by keys and facts that are locked by then: see
 * {@link AcceptanceEntrySql}.
 */
final class AcceptanceSql {

  static final String ACCEPTED_SETTING = "durable.accepted";

  private static final Field<Instant> NOW = field(name("sampled", "now"), SQLDataType.INSTANT);
  private static final Field<Integer> SCOPE_NUMBER =
      field(name("usable", "number"), SQLDataType.INTEGER);
  private static final Field<String> SCOPE_ID =
      field(name("usable", "scope_id"), SQLDataType.VARCHAR);
  private static final Field<Long> GENERATION =
      field(name("usable", "generation"), SQLDataType.BIGINT);
  private static final Field<String> NEW_SCOPE_ID =
      field(name("identified", "scope_id"), SQLDataType.VARCHAR);
  private static final Field<UUID> NEW_WORK_ID =
      field(name("identified", "work_id"), SQLDataType.UUID);
  private static final Field<Instant> ACCEPTED_AT =
      field(name("identified", "accepted_at"), SQLDataType.INSTANT);

  private static final Condition IS_NEW = RequestTable.WORK_ID.field().eq(NEW_WORK_ID);
  private static final Condition IS_IN_SCOPE = RequestTable.SCOPE.field().eq(SCOPE_NUMBER);
  private static final Condition IS_DEFINED =
      RequestTable.DEFINITION.field().eq(DefinitionTable.NUMBER.field());

  private static final CommonTableExpression<?> SAMPLED =
      name("sampled")
          .asMaterialized(select(DSL.function("clock_timestamp", SQLDataType.INSTANT).as("now")));
  private static final Table<?> REQUESTED = table(name("requested"));
  private static final Table<?> DEFINED = table(name("defined"));
  private static final CommonTableExpression<?> USABLE = usableScopes();
  private static final CommonTableExpression<?> IDENTIFIED = identityRows();

  /** How many were accepted: {@link KnownIdentitySql#READ} has something to do unless all were. */
  static final Field<String> ACCEPTED =
      AcceptanceEntrySql.set(
              ACCEPTED_SETTING,
              field(select(DSL.count().cast(SQLDataType.VARCHAR)).from(name("identified"))))
          .as("accepted");

  static final Statement ACCEPT = accept(RequestTable.REQUESTED, DefinitionTable.ROWS);

  /** For a single request. */
  static final Statement ACCEPT_ONE = accept(RequestTable.REQUEST, DefinitionTable.ROW);

  private AcceptanceSql() {}

  /**
   * One statement: only what got an identity row gets the other rows. The time is sampled once; a
   * wait for a concurrent duplicate can only make it earlier than the commit.
   */
  private static Statement accept(Table<?> requests, Table<?> definitions) {
    return Statement.ofRows(
        with(
                name("requested").as(select(RequestTable.fields()).from(requests)),
                name("defined").as(select(DefinitionTable.fields()).from(definitions)),
                USABLE,
                SAMPLED,
                IDENTIFIED,
                workRows(),
                snapshotRows(),
                dispatchRows())
            .select(ACCEPTED));
  }

  private static CommonTableExpression<?> usableScopes() {
    Table<?> active =
        select(SCOPE.GENERATION)
            .from(SCOPE)
            .where(SCOPE.SCOPE_ID.eq(ScopeTable.SCOPE_ID.field()))
            .and(SCOPE.STATE.eq(inline(ScopeState.ACTIVE, SCOPE.STATE)))
            .offset(inline(0)) // by its key, however many scopes there are
            .asTable("active");
    return name("usable")
        .asMaterialized(
            select(
                    ScopeTable.NUMBER.field(),
                    ScopeTable.SCOPE_ID.field(),
                    field(name("active", "generation"), SQLDataType.BIGINT))
                .from(ScopeTable.ROWS, lateral(active))
                .where(AcceptanceEntrySql.SCOPE_IS_LOCKED));
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
                            SCOPE_ID,
                            RequestTable.COMMAND_ID.field(),
                            RequestTable.IDEMPOTENCY_KEY.field(),
                            RequestTable.FINGERPRINT.field(),
                            RequestTable.WORK_ID.field(),
                            RequestTable.ACTIVITY_ID.field(),
                            NOW)
                        .from(REQUESTED)
                        .join(USABLE)
                        .on(IS_IN_SCOPE)
                        .crossJoin(SAMPLED)
                        .where(RequestTable.DEADLINE.field().isNull())
                        .or(RequestTable.DEADLINE.field().gt(NOW))
                        // One order for all, so that two batches of the same commands do not
                        // deadlock.
                        .orderBy(
                            RequestTable.SCOPE.field(),
                            RequestTable.COMMAND_ID.field(),
                            RequestTable.POSITION.field()))
                .onConflictDoNothing()
                .returning(
                    WORK_IDENTITY.SCOPE_ID, WORK_IDENTITY.WORK_ID, WORK_IDENTITY.ACCEPTED_AT));
  }

  private static CommonTableExpression<?> workRows() {
    return written(
        "new_work",
        insertInto(WORK)
            .columns(
                WORK.SCOPE_ID, WORK.WORK_ID, WORK.SCOPE_GENERATION, WORK.EPOCH, WORK.DEADLINE_AT)
            .select(
                select(
                        NEW_SCOPE_ID,
                        NEW_WORK_ID,
                        GENERATION,
                        AcceptanceEntrySql.EPOCH_PARAM,
                        RequestTable.DEADLINE.field())
                    .from(IDENTIFIED)
                    .join(REQUESTED)
                    .on(IS_NEW)
                    .join(USABLE)
                    .on(IS_IN_SCOPE)));
  }

  /** The snapshot is also the first entry of the history. */
  private static CommonTableExpression<?> snapshotRows() {
    return written(
        "new_snapshot",
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
                        NEW_SCOPE_ID,
                        NEW_WORK_ID,
                        RequestTable.ACTIVITY_ID.field(),
                        DefinitionTable.CONTRACT_NAME.field(),
                        DefinitionTable.CONTRACT_VERSION.field(),
                        DefinitionTable.PAYLOAD_FORMAT.field(),
                        RequestTable.PAYLOAD.field(),
                        RequestTable.PAYLOAD_SHA256.field(),
                        DefinitionTable.PROVIDER_SAFETY
                            .field()
                            .coerce(WORK_SNAPSHOT.PROVIDER_SAFETY),
                        RequestTable.PRIORITY.field().cast(SQLDataType.SMALLINT),
                        RequestTable.MAX_ATTEMPTS.field(),
                        interval(DefinitionTable.RETRY_INITIAL.field()),
                        interval(DefinitionTable.RETRY_MAXIMUM.field()),
                        interval(DefinitionTable.ELAPSED_HORIZON.field()),
                        interval(DefinitionTable.LEASE_DURATION.field()),
                        interval(DefinitionTable.LEASE_MAX_LIFETIME.field()),
                        RequestTable.ATTEMPT_OFFSETS.field().cast(WORK_SNAPSHOT.ATTEMPT_OFFSETS),
                        interval(RequestTable.CIRCUIT_DURATION.field()),
                        ACCEPTED_AT)
                    .from(IDENTIFIED)
                    .join(REQUESTED)
                    .on(IS_NEW)
                    .join(DEFINED)
                    .on(IS_DEFINED)));
  }

  private static CommonTableExpression<?> dispatchRows() {
    return written(
        "new_dispatch",
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
                        NEW_SCOPE_ID,
                        NEW_WORK_ID,
                        DefinitionTable.CONTRACT_NAME.field(),
                        DefinitionTable.CONTRACT_VERSION.field(),
                        RequestTable.PRIORITY.field().cast(SQLDataType.SMALLINT),
                        later(ACCEPTED_AT, RequestTable.DELAY.field()))
                    .from(IDENTIFIED)
                    .join(REQUESTED)
                    .on(IS_NEW)
                    .join(DEFINED)
                    .on(IS_DEFINED)));
  }

  /** Without RETURNING: nobody refers to it, and the runtime may not read every table. */
  private static CommonTableExpression<?> written(String name, Query insert) {
    return name(name).as(resultQuery("{0}", insert));
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
