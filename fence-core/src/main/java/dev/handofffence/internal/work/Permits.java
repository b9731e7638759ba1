package dev.handofffence.internal.work;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.sql.PermitSql;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.transaction.StoreConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
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
   * Permits what may be permitted, and judges the rest one by one.
   *
   * @param claims all of one owner
   * @throws dev.handofffence.internal.store.UnusableStoreException when nothing may be done here
   */
  public Granted grant(StoreConnection connection, List<Claim> claims) throws SQLException {
    PermitSql.PermitBatch batch = connection.inOneTrip(c -> PermitSql.permit(c, store, claims));
    StoreCheck.require(batch.store(), store);
    List<Ending> endings = new ArrayList<>();
    for (Claim refused : batch.refused()) {
      endings.add(settleRefused(connection, refused));
    }
    return new Granted(batch.permitted(), batch.busy(), endings);
  }

  /**
   * What one call granted.
   *
   * @param permitted with how long each lease is good for
   * @param busy worth another try
   * @param endings of those that were refused for good
   */
  public record Granted(Map<Claim, Duration> permitted, List<Claim> busy, List<Ending> endings) {}

  /** One that is busy is left: its lease runs out, and discovery finds it. */
  private Ending settleRefused(StoreConnection connection, Claim refused) throws SQLException {
    return settlement.settle(
        connection,
        refused.scope(),
        refused.workId(),
        facts -> DueJudge.judgeRefused(facts, refused));
  }
}
