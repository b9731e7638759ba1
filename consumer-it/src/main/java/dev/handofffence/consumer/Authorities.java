package dev.handofffence.consumer;

import static dev.handofffence.consumer.generated.Tables.AUTHORITY;

import dev.handofffence.ScopeId;
import java.time.Instant;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** SQL on {@code consumer.authority}. */
final class Authorities {

  private static final org.jooq.Field<Instant> NOW =
      DSL.function(DSL.name("clock_timestamp"), SQLDataType.INSTANT);

  private Authorities() {}

  /**
   * Locks the permission, then says whether it holds: nobody revokes it before this transaction
   * ends.
   */
  static boolean lockAndCheck(DSLContext transaction, ScopeId scope, String operationKey) {
    return transaction
        .select(AUTHORITY.IS_AUTHORIZED)
        .from(AUTHORITY)
        .where(isKey(scope, operationKey))
        .forUpdate()
        .fetchOptional(AUTHORITY.IS_AUTHORIZED)
        .orElse(false);
  }

  /** Grants a permission that was never decided; one that was revoked stays so. */
  static void grantInitially(DSLContext transaction, ScopeId scope, String operationKey) {
    transaction
        .insertInto(AUTHORITY)
        .columns(AUTHORITY.SCOPE_ID, AUTHORITY.OPERATION_KEY, AUTHORITY.IS_AUTHORIZED)
        .values(scope.value(), operationKey, true)
        .onConflictDoNothing()
        .execute();
  }

  /** Revokes a permission. */
  static void revoke(DSLContext transaction, ScopeId scope, String operationKey) {
    transaction
        .update(AUTHORITY)
        .set(AUTHORITY.IS_AUTHORIZED, false)
        .set(AUTHORITY.CHANGED_AT, NOW)
        .where(isKey(scope, operationKey))
        .execute();
  }

  private static Condition isKey(ScopeId scope, String operationKey) {
    return AUTHORITY.SCOPE_ID.eq(scope.value()).and(AUTHORITY.OPERATION_KEY.eq(operationKey));
  }
}
