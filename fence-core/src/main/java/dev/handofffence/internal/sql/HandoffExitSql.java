package dev.handofffence.internal.sql;

import dev.handofffence.internal.claim.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The first round trip after the callback: reads the session that it left and the time, and puts
 * the caller's scope back (protocol section 6, numbers 11 and 12). In a transaction that an error
 * has aborted, it fails with 25P02.
 */
public final class HandoffExitSql {

  private static final Script EXIT =
      Script.of(
          HandoffSessionSql.READ,
          HandoffTimesSql.SAMPLE_AT_EXIT,
          HandoffSessionSql.RESTORE_SCOPE_AND_MARKER);

  private HandoffExitSql() {}

  /**
   * Reads and restores.
   *
   * @param prior the session before the call
   */
  public static HandoffExit recheck(
      Connection connection, StatementGuard guard, Claim claim, HandoffSession prior)
      throws SQLException {
    Binds binds = HandoffSessionSql.bind(HandoffGuards.keys(claim), prior);
    List<Rows> rows = new RoundTrip().add(EXIT, binds).sendAgainAndAgain(connection, guard);
    return new HandoffExit(
        HandoffSessionSql.session(rows.get(0)), HandoffTimesSql.times(rows.get(1)));
  }
}
