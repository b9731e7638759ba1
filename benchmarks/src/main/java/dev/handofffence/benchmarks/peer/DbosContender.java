package dev.handofffence.benchmarks.peer;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.migrations.MigrationManager;
import dev.dbos.transact.workflow.Queue;
import dev.dbos.transact.workflow.Workflow;
import dev.handofffence.benchmarks.contender.Contender;
import dev.handofffence.benchmarks.contender.JobBody;
import dev.handofffence.benchmarks.contender.Producer;
import dev.handofffence.benchmarks.contender.Workers;
import dev.handofffence.benchmarks.server.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** Workflows without steps on a queue, polled every 10 ms instead of every second. */
public final class DbosContender implements Contender {

  private static final String QUEUE = "bench";
  private static final String OTHER_QUEUE = "idle";
  private static final String VERSION = "bench";
  private static final Duration POLLING = Duration.ofMillis(10);

  /** The workflow; the library makes a proxy of it. */
  public interface Calls {
    void call(String payload);
  }

  /** Where the library finds the workflow function. */
  public static final class Workflows implements Calls {

    private final JobBody body;

    Workflows(JobBody body) {
      this.body = body;
    }

    @Override
    @Workflow(name = "call")
    public void call(String payload) {
      body.run(payload);
    }
  }

  @Override
  public void createSchema(DataSource superuser) {
    MigrationManager.runMigrations(config(superuser, "schema"));
  }

  /** Listens to a queue that nobody uses, so that nothing runs in this process. */
  @Override
  public Producer openProducer(Database database, int threads) throws SQLException {
    HikariDataSource pool = database.pool(threads + 2);
    DBOS dbos = new DBOS(config(pool, "producer").withListenQueue(OTHER_QUEUE));
    Queue queue = new Queue(QUEUE);
    dbos.registerQueues(queue, new Queue(OTHER_QUEUE));
    Calls calls = dbos.registerProxy(Calls.class, new Workflows(payload -> {}));
    dbos.launch();
    StartWorkflowOptions enqueue = new StartWorkflowOptions(queue);
    return new Producer() {
      @Override
      public void accept(String payload) {
        dbos.startWorkflow(() -> calls.call(payload), enqueue);
      }

      @Override
      public void acceptAll(List<String> payloads) {
        payloads.forEach(this::accept);
      }

      @Override
      public void close() {
        dbos.shutdown();
        pool.close();
      }
    };
  }

  @Override
  public Workers openWorkers(Database database, int workers, JobBody body) throws SQLException {
    HikariDataSource pool = database.pool(workers + 3);
    DBOS dbos = new DBOS(config(pool, "worker").withListenQueue(QUEUE));
    dbos.registerQueue(
        new Queue(QUEUE).withWorkerConcurrency(workers).withPollingInterval(POLLING));
    dbos.registerProxy(Calls.class, new Workflows(body));
    return new Workers() {
      @Override
      public void start() {
        dbos.launch();
      }

      @Override
      public void close() {
        dbos.shutdown();
        pool.close();
      }
    };
  }

  @Override
  public String unfinishedQuery() {
    return "SELECT EXISTS"
        + " (SELECT FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'PENDING'))";
  }

  private static DBOSConfig config(DataSource source, String executor) {
    return DBOSConfig.defaults("bench")
        .withDataSource(source)
        .withAppVersion(VERSION)
        .withExecutorId(executor);
  }
}
