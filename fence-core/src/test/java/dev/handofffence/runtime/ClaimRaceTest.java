package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Candidate;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.ClaimedWork;
import dev.handofffence.internal.transaction.StoreConnection;
import dev.handofffence.internal.work.Claims;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** 32 claimers on 8 connections. */
class ClaimRaceTest {

  private static final int CLAIMERS = 32;
  private static final int CONNECTIONS = 8;
  private static final int WORKS = 120;
  private static final int SCOPES = 3;

  @Test
  void everyWork_hasExactlyOneWinner_andUsesItsLeaseGenerationOnce() throws Exception {
    try (PumpScene scene = new PumpScene();
        HikariDataSource pool = pool(scene)) {
      List<Candidate> due = accept(scene);

      List<Claim> claims = race(scene, pool, due);

      assertThat(claims).hasSize(WORKS);
      assertThat(claims).extracting(Claim::workId).doesNotHaveDuplicates();
      assertThat(claims).extracting(Claim::leaseGeneration).containsOnly(1L);
      assertThat(
              scene.database.ask(
                  "SELECT count(*) FROM durable.work WHERE attempt = 1 AND lease_generation = 1"))
          .isEqualTo(String.valueOf(WORKS));
      assertThat(
              scene.database.ask(
                  "SELECT count(*) FROM durable.work_history WHERE event = 'claimed'"))
          .isEqualTo(String.valueOf(WORKS));
    }
  }

  private static List<Claim> race(PumpScene scene, HikariDataSource pool, List<Candidate> due)
      throws Exception {
    CyclicBarrier start = new CyclicBarrier(CLAIMERS);
    ExecutorService threads = Executors.newFixedThreadPool(CLAIMERS);
    try {
      List<Callable<List<Claim>>> claimers =
          IntStream.range(0, CLAIMERS)
              .<Callable<List<Claim>>>mapToObj(
                  seed ->
                      () -> {
                        start.await();
                        return claimAll(scene, pool, due, new Random(seed));
                      })
              .toList();
      List<Claim> claims = new ArrayList<>();
      for (Future<List<Claim>> claimer : threads.invokeAll(claimers)) {
        claims.addAll(claimer.get());
      }
      return claims;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Everybody tries every Work, in batches and in an order of their own. */
  private static List<Claim> claimAll(
      PumpScene scene, HikariDataSource pool, List<Candidate> due, Random random) throws Exception {
    Claims claims = new Claims(scene.database.store(), UUID.randomUUID());
    List<Candidate> order = new ArrayList<>(due);
    Collections.shuffle(order, random);
    List<Claim> won = new ArrayList<>();
    for (int from = 0; from < order.size(); from += 10) {
      List<Candidate> batch = order.subList(from, Math.min(order.size(), from + 10));
      try (StoreConnection connection = new StoreConnection(pool)) {
        claims.take(connection, batch).claimed().stream().map(ClaimedWork::claim).forEach(won::add);
      }
    }
    return won;
  }

  private static List<Candidate> accept(PumpScene scene) {
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntime runtime =
        scene.runtime(definition, i -> (work, cancellation) -> WorkExit.succeeded("sent"));
    List<Candidate> due = new ArrayList<>();
    for (int scope = 0; scope < SCOPES; scope++) {
      ScopeId tenant = ScopeId.of("tenant-" + scope);
      List<WorkRequest<String, String>> requests =
          IntStream.range(0, WORKS / SCOPES)
              .mapToObj(
                  n ->
                      definition.request(
                          tenant, CommandId.of("c" + n), IdempotencyKey.of("k" + n), "a note"))
              .toList();
      runtime.work().acceptAll(requests).stream()
          .map(accepted -> accepted.orElseThrow().workId())
          .forEach(work -> due.add(candidate(tenant, work)));
    }
    return due;
  }

  private static Candidate candidate(ScopeId scope, WorkId work) {
    return new Candidate(scope, work, 0);
  }

  private static HikariDataSource pool(PumpScene scene) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(scene.database.runtime());
    config.setMaximumPoolSize(CONNECTIONS);
    return new HikariDataSource(config);
  }
}
