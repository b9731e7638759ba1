package dev.handofffence.internal.work;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.claim.Candidate;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.ClaimedWork;
import dev.handofffence.internal.sql.ClaimSql;
import dev.handofffence.internal.sql.HandBackSql;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.transaction.StoreConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Takes ownership of due Work for one worker, and classifies what may not be owned. Thread-safe.
 */
public final class Claims {

  /** A Work that is locked now is somebody else's business; the next pass meets it again. */
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final StoreIdentity store;
  private final UUID owner;
  private final Settlement settlement;

  public Claims(StoreIdentity store, UUID owner) {
    this.store = store;
    this.owner = owner;
    this.settlement = new Settlement(store, PATIENCE);
  }

  /**
   * Claims what is plainly claimable; the rest is to be classified one by one.
   *
   * @throws dev.handofffence.internal.store.UnusableStoreException when nothing may be done here
   */
  public Taken take(StoreConnection connection, List<Candidate> candidates) throws SQLException {
    ClaimSql.ClaimBatch batch =
        connection.inOneTrip(c -> ClaimSql.claim(c, store, owner, candidates));
    StoreCheck.require(batch.store(), store);
    return new Taken(batch.claimed(), batch.unclaimed());
  }

  /** Judges a Work that is due and could not be claimed. */
  public Ending classify(StoreConnection connection, Candidate unclaimed) throws SQLException {
    return settlement.settle(
        connection,
        unclaimed.scope(),
        unclaimed.workId(),
        facts -> DueJudge.judge(facts, store.epoch()));
  }

  /**
   * Hands claims back that have no permit, as far as nobody else has locked their Works.
   *
   * @param claims all of this worker
   * @return those that were handed back; the leases of the others run out
   * @throws dev.handofffence.internal.store.UnusableStoreException when nothing may be done here
   */
  public List<Claim> handBack(StoreConnection connection, List<Claim> claims) throws SQLException {
    HandBackSql.Returned returned =
        connection.inOneTrip(c -> HandBackSql.handBack(c, store, claims));
    StoreCheck.require(returned.store(), store);
    return returned.claims();
  }

  /** Ends a claim for which no executor could be made. */
  public Ending giveUp(StoreConnection connection, Claim claim, String code) throws SQLException {
    return settlement.settle(
        connection,
        claim.scope(),
        claim.workId(),
        facts -> CompletionJudge.judgeUnavailable(facts, claim, code));
  }

  /** What one call took, and the Works that could not be claimed. */
  public record Taken(List<ClaimedWork> claimed, List<Candidate> unclaimed) {}
}
