package dev.handofffence.benchmarks.fence;

import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.benchmarks.contender.Ends;
import dev.handofffence.benchmarks.server.Database;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkExecutor;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkInvocation;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One Work whose executor runs until this is closed, so that its fence stays bound. The pump alone
 * can bind a fence; but while the executor runs, any thread may call it.
 */
public final class LiveInvocation implements AutoCloseable {

  private static final int CONNECTIONS = 4;

  private final HikariDataSource runtimePool;
  private final HikariDataSource dispatcherPool;
  private final CompletableFuture<Live> live = new CompletableFuture<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread pumping;

  private LiveInvocation(Database database) throws SQLException {
    this.runtimePool = FenceSchema.asRuntime(database).pool(CONNECTIONS);
    this.dispatcherPool = FenceSchema.asDispatcher(database).pool(1);
    DurableRuntime runtime =
        DurableRuntime.builder()
            .runtimeDataSource(runtimePool)
            .dispatcherDataSource(dispatcherPool)
            .store(Contracts.store(database))
            .register(Contracts.JOB, this::executor)
            .build();
    runtime
        .work()
        .accept(Contracts.request(Contracts.scopes().get(0), "x".repeat(100)))
        .orElseThrow();
    this.pumping = new Thread(() -> runtime.pump().runOnce(PumpPass.of(1)), "live-invocation");
  }

  /** Accepts a Work and returns while its executor runs. */
  public static LiveInvocation open(Database database) throws Exception {
    LiveInvocation invocation = new LiveInvocation(database);
    invocation.pumping.start();
    invocation.live.get(1, TimeUnit.MINUTES);
    return invocation;
  }

  private WorkExecutor<String, String> executor(WorkInvocation invocation) {
    HandoffFence fence = invocation.handoffFence();
    return (WorkEnvelope<String> work, CancellationToken cancellation) -> {
      live.complete(new Live(fence, work));
      end.await();
      return WorkExit.succeeded("done");
    };
  }

  public HandoffFence fence() {
    return live.join().fence();
  }

  public WorkEnvelope<String> work() {
    return live.join().work();
  }

  /** Returns the database as the application of this invocation sees it. */
  public static Database forApplication(Database database) {
    return FenceSchema.asRuntime(database);
  }

  @Override
  public void close() {
    end.countDown();
    Ends.join(pumping);
    runtimePool.close();
    dispatcherPool.close();
  }

  private record Live(HandoffFence fence, WorkEnvelope<String> work) {}
}
