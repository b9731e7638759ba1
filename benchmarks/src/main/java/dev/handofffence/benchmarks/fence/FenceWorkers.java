package dev.handofffence.benchmarks.fence;

import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.benchmarks.contender.JobBody;
import dev.handofffence.benchmarks.contender.Workers;
import dev.handofffence.benchmarks.server.Database;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.WorkerHost;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A worker host with its standard options. */
final class FenceWorkers implements Workers {

  /** What a host keeps to itself, and one to spare. */
  private static final int RUNTIME_CONNECTIONS = 6;

  private static final int DISPATCHER_CONNECTIONS = 1;

  private final HikariDataSource runtimePool;
  private final HikariDataSource dispatcherPool;
  private final HikariDataSource applicationPool;
  private final DurableRuntime runtime;
  private @Nullable WorkerHost host;

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
    host = runtime.startHost();
  }

  @Override
  public void close() {
    if (host != null) {
      host.close();
    }
    runtimePool.close();
    dispatcherPool.close();
    applicationPool.close();
  }
}
