package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.claim.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The one round trip before the callback: both savepoints, every lock in the global order, and the
 * facts (protocol section 6, numbers 2 to 9).
 */
public final class HandoffEntrySql {

  /**
   * The text SAVEPOINT in front keeps the driver's own autosave away. The session is read first and
   * guards the rest, so that nothing is locked in a transaction that cannot be used.
   */
  private static final Script ENTRY =
      Script.of(
          Statement.ofText("SAVEPOINT durable_op"),
          HandoffSessionSql.READ,
          Statement.of(
              select(SessionSettings.lockShared(inline(StoreSql.EPOCH_LOCK_KEY)))
                  .where(HandoffGuards.TRANSACTION_USABLE)),
          StoreSql.READ_STORE,
          HandoffRowsSql.BIND_AND_LOCK_SCOPE,
          HandoffRowsSql.LOCK,
          HandoffTimesSql.SAMPLE_AT_ENTRY,
          Statement.ofText("SAVEPOINT durable_cb"),
          HandoffSessionSql.MARK_CALLBACK);

  private HandoffEntrySql() {}

  /**
   * Enters; what it locked stays until the caller's transaction ends or {@link
   * HandoffSettlementSql#withdraw} undoes it.
   *
   * @param mark marks the callback's part of the transaction; no other call has the same
   */
  public static HandoffFacts enter(
      Connection connection, StatementGuard guard, Claim claim, StoreIdentity store, String mark)
      throws SQLException {
    Binds binds = HandoffSessionSql.bindMark(HandoffGuards.binds(claim, store), mark);
    return facts(new RoundTrip().add(ENTRY, binds).sendAgainAndAgain(connection, guard));
  }

  private static HandoffFacts facts(List<Rows> rows) {
    Row locked = rows.get(2).isEmpty() ? null : rows.get(2).get(0);
    return new HandoffFacts(
        HandoffSessionSql.session(rows.get(0)),
        StoreSql.store(rows.get(1)),
        HandoffRowsSql.scope(locked),
        HandoffRowsSql.work(locked),
        HandoffRowsSql.dispatch(locked),
        HandoffRowsSql.permit(locked),
        HandoffTimesSql.times(rows.get(3)));
  }
}
