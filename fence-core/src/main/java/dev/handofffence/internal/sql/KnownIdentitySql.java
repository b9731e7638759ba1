package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK_IDENTITY;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;

import dev.handofffence.generated.type.ScopeState;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.TableField;

/**
 * Who has the identities of requests that were not all accepted. Each is found by its key, however
 * the tables are joined: a scope remembers everything it ever accepted.
 */
final class KnownIdentitySql {

  private static final String BY_COMMAND = "by_command";
  private static final String BY_KEY = "by_key";
  private static final String LOCKED = "locked";

  static final Field<ScopeState> SCOPE_STATE =
      field(name(LOCKED, "state"), SCOPE.STATE.getDataType()).as("scope_state");
  static final Field<UUID> WORK_ID = either(WORK_IDENTITY.WORK_ID).as("known_work_id");
  static final Field<UUID> ACTIVITY_ID = either(WORK_IDENTITY.ACTIVITY_ID).as("known_activity_id");

  /** The fingerprint holds the idempotency key, so two different rows never both match. */
  static final Field<Boolean> SAME_CONTENT =
      field(sameContentIn(BY_COMMAND).and(sameContentIn(BY_KEY))).as("same_content");

  /** After the inserts, which waited for every uncommitted holder of the same identity. */
  static final Statement READ =
      Statement.ofRows(
          select(RequestTable.POSITION.field(), SCOPE_STATE, WORK_ID, ACTIVITY_ID, SAME_CONTENT)
              .from(RequestTable.REQUESTED_IDENTITIES)
              .join(ScopeTable.ROWS)
              .on(ScopeTable.NUMBER.field().eq(RequestTable.SCOPE.field()))
              .leftJoin(lateral(lockedScope()))
              .on(noCondition())
              .leftJoin(
                  lateral(
                      identity(
                          BY_COMMAND,
                          WORK_IDENTITY.COMMAND_ID.eq(RequestTable.COMMAND_ID.field()))))
              .on(noCondition())
              .leftJoin(
                  lateral(
                      identity(
                          BY_KEY,
                          WORK_IDENTITY.IDEMPOTENCY_KEY.eq(RequestTable.IDEMPOTENCY_KEY.field()))))
              .on(noCondition())
              .where(
                  condition(
                      "{0} is distinct from cardinality({1})::text",
                      AcceptanceEntrySql.setting(AcceptanceSql.ACCEPTED_SETTING),
                      RequestTable.POSITION.parameter())));

  private KnownIdentitySql() {}

  private static Table<?> lockedScope() {
    return select(SCOPE.STATE)
        .from(SCOPE)
        .where(SCOPE.SCOPE_ID.eq(ScopeTable.SCOPE_ID.field()))
        .and(AcceptanceEntrySql.SCOPE_IS_LOCKED)
        .offset(inline(0))
        .asTable(LOCKED);
  }

  private static Table<?> identity(String alias, Condition key) {
    return select(WORK_IDENTITY.WORK_ID, WORK_IDENTITY.ACTIVITY_ID, WORK_IDENTITY.FINGERPRINT)
        .from(WORK_IDENTITY)
        .where(WORK_IDENTITY.SCOPE_ID.eq(ScopeTable.SCOPE_ID.field()))
        .and(key)
        .offset(inline(0))
        .asTable(alias);
  }

  private static <T> Field<T> either(TableField<?, T> column) {
    return coalesce(of(BY_COMMAND, column), of(BY_KEY, column));
  }

  private static Condition sameContentIn(String found) {
    return coalesce(of(found, WORK_IDENTITY.FINGERPRINT), RequestTable.FINGERPRINT.field())
        .eq(RequestTable.FINGERPRINT.field());
  }

  private static <T> Field<T> of(String found, TableField<?, T> column) {
    return field(name(found, column.getName()), column.getDataType());
  }
}
