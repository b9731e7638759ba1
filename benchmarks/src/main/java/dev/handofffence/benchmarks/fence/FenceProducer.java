package dev.handofffence.benchmarks.fence;

import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.OperationResult;
import dev.handofffence.ScopeId;
import dev.handofffence.benchmarks.contender.Producer;
import dev.handofffence.benchmarks.server.Database;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.work.WorkAcceptance;
import dev.handofffence.work.WorkRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts in transactions of the library's own, taking turns among the scopes. */
final class FenceProducer implements Producer {

  private final HikariDataSource pool;
  private final WorkAcceptance acceptance;
  private final List<ScopeId> scopes = Contracts.scopes();
  private final AtomicInteger turn = new AtomicInteger();

  FenceProducer(Database database, int threads) throws SQLException {
    this.pool = FenceSchema.asRuntime(database).pool(threads);
    this.acceptance =
        DurableRuntime.builder()
            .runtimeDataSource(pool)
            .dispatcherDataSource(FenceSchema.asDispatcher(database).unpooled())
            .store(Contracts.store(database))
            .build()
            .work();
  }

  @Override
  public void accept(String payload) {
    acceptance.accept(request(payload)).orElseThrow();
  }

  @Override
  public void acceptAll(List<String> payloads) {
    List<WorkRequest<?, ?>> requests = new ArrayList<>(payloads.size());
    payloads.forEach(payload -> requests.add(request(payload)));
    acceptance.acceptAll(requests).forEach(OperationResult::orElseThrow);
  }

  private WorkRequest<String, String> request(String payload) {
    int next = Math.floorMod(turn.getAndIncrement(), scopes.size());
    return Contracts.request(scopes.get(next), payload);
  }

  @Override
  public void close() {
    pool.close();
  }
}
