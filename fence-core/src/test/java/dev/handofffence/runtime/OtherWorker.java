package dev.handofffence.runtime;

import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Candidate;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.ClaimedWork;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.EncodedResult;
import dev.handofffence.internal.sql.LeaseSql;
import dev.handofffence.internal.transaction.StoreConnection;
import dev.handofffence.internal.work.Claims;
import dev.handofffence.internal.work.Completions;
import dev.handofffence.internal.work.Ending;
import dev.handofffence.internal.work.Leases;
import dev.handofffence.internal.work.Permits;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A worker that does single steps and can stop, like a killed or paused process, after any. */
final class OtherWorker implements AutoCloseable {

  private final StoreConnection connection;
  private final Claims claims;
  private final Permits permits;
  private final Leases leases;
  private final Completions completions;

  OtherWorker(PumpScene scene) {
    StoreIdentity store = scene.database.store();
    this.connection = new StoreConnection(scene.database.runtime());
    this.claims = new Claims(store, UUID.randomUUID());
    this.permits = new Permits(store);
    this.leases = new Leases(store);
    this.completions = new Completions(store);
  }

  Claims.Taken take(List<WorkId> works) throws SQLException {
    return claims.take(
        connection, works.stream().map(w -> new Candidate(PumpScene.TENANT, w, 0)).toList());
  }

  /** What becomes of a Work that cannot be claimed. */
  Ending classify(WorkId work) throws SQLException {
    return claims.classify(connection, take(List.of(work)).unclaimed().get(0));
  }

  Claim claim(WorkId work) throws SQLException {
    return take(List.of(work)).claimed().stream().map(ClaimedWork::claim).findFirst().orElseThrow();
  }

  /** Asks for a permit, and settles a claim that is refused. */
  Permits.Granted permit(Claim claim) throws SQLException {
    Permits.Granted granted = permits.grant(connection, List.of(claim));
    for (Claim refused : granted.refused()) {
      permits.settleRefused(connection, refused);
    }
    return granted;
  }

  Claim claimAndPermit(WorkId work) throws SQLException {
    Claim claim = claim(work);
    if (!permit(claim).permitted().containsKey(claim)) {
      throw new IllegalStateException("Not permitted");
    }
    return claim;
  }

  /** What is left of the lease after an attempt to renew it; empty when it is lost. */
  Optional<Duration> renew(Claim claim) throws SQLException {
    return Optional.ofNullable(leases.renew(connection, List.of(claim)).get(claim))
        .map(LeaseSql.Lease::remaining);
  }

  /** Whether the claim was handed back. */
  boolean handBack(Claim claim) throws SQLException {
    return claims.handBack(connection, List.of(claim)).contains(claim);
  }

  /** Whether an attempt to renew the lease found its row and scope free. */
  boolean isRenewable(Claim claim) throws SQLException {
    return Optional.ofNullable(leases.renew(connection, List.of(claim)).get(claim))
        .orElseThrow()
        .renewed();
  }

  /** What became of a success; empty when the Work was busy. */
  Optional<Ending> succeed(Claim claim) throws SQLException {
    return complete(success(claim));
  }

  Optional<Ending> complete(Completion completion) throws SQLException {
    return complete(completion, Set.of());
  }

  /** Reports again what was reported before without an answer. */
  Optional<Ending> completeAgain(Completion completion) throws SQLException {
    return complete(completion, Set.of(completion));
  }

  /** Reports a success again that was reported before without an answer. */
  Optional<Ending> succeedAgain(Claim claim) throws SQLException {
    return completeAgain(success(claim));
  }

  private static Completion success(Claim claim) {
    return Completion.succeeded(
        claim, new EncodedResult("text", "late".getBytes(StandardCharsets.UTF_8)));
  }

  private Optional<Ending> complete(Completion completion, Set<Completion> inDoubt)
      throws SQLException {
    Map<Completion, Ending> endings = completions.record(connection, List.of(completion), inDoubt);
    return Optional.ofNullable(endings.get(completion));
  }

  @Override
  public void close() {
    connection.close();
  }
}
