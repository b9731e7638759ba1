package dev.handofffence.internal.work;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.sql.PermitSql;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.transaction.StoreConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Permits and admits claims in one durable commit, before any effect. Thread-safe. */
public final class Permits {

  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final StoreIdentity store;
  private final Settlement settlement;

  public Permits(StoreIdentity store) {
    this.store = store;
    this.settlement = new Settlement(store, PATIENCE);
  }

  /**
   * Permits what may be permitted. The permits have committed when this returns, so they are not to
   * be given up for a failure with one of the rest.
   *
   * @param claims all of one owner
   * @throws dev.handofffence.internal.store.UnusableStoreException when nothing may be done here
   */
  public Granted grant(StoreConnection connection, List<Claim> claims) throws SQLException {
    PermitSql.PermitBatch batch = connection.inOneTrip(c -> PermitSql.permit(c, store, claims));
    StoreCheck.require(batch.store(), store);
    return new Granted(batch.permitted(), batch.busy(), batch.refused());
  }

  /**
   * What one call granted.
   *
   * @param permitted with how long each lease is good for
   * @param busy worth another try
   * @param refused for good; to be settled one by one
   */
  public record Granted(Map<Claim, Duration> permitted, List<Claim> busy, List<Claim> refused) {}

  /** Judges a refused claim; one that is busy is left: its lease runs out, discovery finds it. */
  public Ending settleRefused(StoreConnection connection, Claim refused) throws SQLException {
    return settlement.settle(
        connection,
        refused.scope(),
        refused.workId(),
        facts -> DueJudge.judgeRefused(facts, refused));
  }
}
