package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.EPOCH;
import static dev.handofffence.generated.Tables.STORE;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.handofffence.internal.store.StoreCheck;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Activating an epoch under its exclusive lock. */
final class EpochSql {

  static final String NEXT = "next_epoch";
  static final String EXPECTED = "expected_epoch";
  static final String ACTOR = "actor";
  static final String REASON = "reason";
  static final String PATIENCE = "patience_micros";

  private static final Param<UUID> NEXT_PARAM = param(NEXT, SQLDataType.UUID);
  private static final Param<UUID> EXPECTED_PARAM = param(EXPECTED, SQLDataType.UUID);
  private static final Param<String> ACTOR_PARAM = param(ACTOR, SQLDataType.VARCHAR);
  private static final Param<String> REASON_PARAM = param(REASON, SQLDataType.VARCHAR);

  static final Statement LOCK_EPOCH_EXCLUSIVELY = lockExclusively(inline(StoreSql.EPOCH_LOCK_KEY));

  static final Statement INITIALISE =
      activate(STORE.ACTIVE_EPOCH.isNull(), inline((UUID) null, SQLDataType.UUID));

  static final Statement ROTATE = activate(STORE.ACTIVE_EPOCH.eq(EXPECTED_PARAM), EXPECTED_PARAM);

  private EpochSql() {}

  /**
   * In slices, so that others go on meanwhile, up to the patience; what the lock guards is read by
   * a later statement.
   */
  static Statement lockExclusively(Field<Long> key) {
    return Statement.of(
        select(
            DSL.function(
                name("durable", "lock_exclusively"),
                SQLDataType.OTHER,
                key,
                field(
                    "{0} * interval '1 microsecond'",
                    SQLDataType.OTHER, param(PATIENCE, SQLDataType.BIGINT)))));
  }

  /** Store row and activation in one statement: never one without the other. */
  private static Statement activate(Condition expected, Field<UUID> previous) {
    return Statement.of(
        with(name("activated")
                .as(
                    update(STORE)
                        .set(STORE.ACTIVE_EPOCH, NEXT_PARAM)
                        .where(expected)
                        .and(STORE.OLDEST_WRITER.le(inline(StoreCheck.SCHEMA_VERSION)))
                        .and(STORE.SCHEMA_VERSION.ge(inline(StoreCheck.SCHEMA_VERSION)))
                        .returning(STORE.STORE_ID)))
            .insertInto(EPOCH)
            .columns(EPOCH.EPOCH_, EPOCH.PREVIOUS_EPOCH, EPOCH.ACTOR, EPOCH.REASON)
            .select(
                select(NEXT_PARAM, previous, ACTOR_PARAM, REASON_PARAM).from(name("activated"))));
  }
}
