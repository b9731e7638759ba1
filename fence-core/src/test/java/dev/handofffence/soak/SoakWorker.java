package dev.handofffence.soak;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.ChildJvm;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.DurableRuntimeBuilder;
import dev.handofffence.runtime.HostOptions;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkExecutorFactory;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A worker process of the soak: a host that runs until it is killed. */
final class SoakWorker {

  private static final int EXECUTORS = 8;

  /** What the host of an application owns (section 10): nothing may hold locks for ever. */
  private static final String TIMEOUTS =
      "-c lock_timeout=1s -c statement_timeout=3s -c idle_in_transaction_session_timeout=2s";

  private SoakWorker() {}

  /** Arguments: URL, store id, epoch, seed. */
  public static void main(String[] arguments) throws InterruptedException {
    String url = arguments[0];
    StoreIdentity store =
        StoreIdentity.of(UUID.fromString(arguments[1]), UUID.fromString(arguments[2]));
    CountDownLatch asked = new CountDownLatch(1);
    ChildJvm.endWithParent(asked::countDown);
    DurableRuntime runtime = runtime(url, store, Long.parseLong(arguments[3]));
    HostOptions options =
        HostOptions.builder().polling(Duration.ofMillis(10), Duration.ofMillis(200)).build();
    try (var host = runtime.startHost(options)) {
      ChildJvm.say("started " + host.health());
      asked.await();
    }
    System.exit(0);
  }

  private static DurableRuntime runtime(String url, StoreIdentity store, long seed) {
    DataSource application = pool(url);
    DurableRuntimeBuilder builder =
        DurableRuntime.builder()
            .runtimeDataSource(connections(url, DurableDatabase.RUNTIME))
            .dispatcherDataSource(connections(url, DurableDatabase.DISPATCHER))
            .store(store)
            .concurrency(EXECUTORS);
    for (ProviderSafety safety : ProviderSafety.values()) {
      WorkExecutorFactory<String, String> executors =
          invocation -> new ErraticExecutor(invocation, safety, application, seed);
      if (safety == ProviderSafety.MANUAL_RESOLUTION) {
        builder.register(SoakWork.definition(safety), executors);
      } else {
        builder.register(SoakWork.definition(safety), executors, new SoakReconciler(application));
      }
    }
    return builder.build();
  }

  private static DataSource pool(String url) {
    PGSimpleDataSource source = connections(url, DurableDatabase.RUNTIME);
    source.setOptions(TIMEOUTS);
    return pool(source, EXECUTORS);
  }

  /** A pool of connections to a server that is down now and then. */
  static HikariDataSource pool(DataSource source, int connections) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(2_000);
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  private static PGSimpleDataSource connections(String url, String role) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setUser(role);
    source.setPassword(DurableDatabase.PASSWORD);
    source.setConnectTimeout(2);
    source.setSocketTimeout(10);
    return source;
  }
}
