package dev.handofffence.benchmarks.fence;

import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.benchmarks.contender.Ends;
import dev.handofffence.benchmarks.contender.JobBody;
import dev.handofffence.benchmarks.contender.Workers;
import dev.handofffence.benchmarks.server.Database;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.PumpResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A pump that makes pass after pass, and rests for a moment when it finds nothing. */
final class FenceWorkers implements Workers {

  /** What a pass keeps to itself, and one to spare. */
  private static final int RUNTIME_CONNECTIONS = 4;

  private static final int DISPATCHER_CONNECTIONS = 1;
  private static final PumpPass PASS = PumpPass.of(10_000).within(Duration.ofSeconds(1));
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final HikariDataSource runtimePool;
  private final HikariDataSource dispatcherPool;
  private final HikariDataSource applicationPool;
  private final DurableRuntime runtime;
  private final Thread pumping = new Thread(this::pump, "fence-pump");
  private volatile boolean stopped;

  FenceWorkers(Database database, int workers, Execution execution, JobBody body)
      throws SQLException {
    Database asRuntime = FenceSchema.asRuntime(database);
    this.runtimePool = asRuntime.pool(RUNTIME_CONNECTIONS);
    this.dispatcherPool = FenceSchema.asDispatcher(database).pool(DISPATCHER_CONNECTIONS);
    this.applicationPool = asRuntime.pool(execution == Execution.PLAIN ? 1 : workers);
    this.runtime =
        DurableRuntime.builder()
            .runtimeDataSource(runtimePool)
            .dispatcherDataSource(dispatcherPool)
            .store(Contracts.store(database))
            .register(
                Contracts.JOB,
                invocation -> new JobExecutor(invocation, execution, applicationPool, body))
            .concurrency(workers)
            .build();
  }

  @Override
  public void start() {
    pumping.start();
  }

  private void pump() {
    while (!stopped) {
      PumpResult result = runtime.pump().runOnce(PASS);
      result
          .stoppedBy()
          .ifPresent(
              problem -> {
                throw new IllegalStateException("The pump stopped: " + problem);
              });
      if (result.claimed() == 0) {
        LockSupport.parkNanos(IDLE_NANOS);
      }
    }
  }

  @Override
  public void close() {
    stopped = true;
    Ends.join(pumping);
    runtimePool.close();
    dispatcherPool.close();
    applicationPool.close();
  }
}
