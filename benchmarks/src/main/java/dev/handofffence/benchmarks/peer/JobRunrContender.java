package dev.handofffence.benchmarks.peer;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.benchmarks.contender.Contender;
import dev.handofffence.benchmarks.contender.JobBody;
import dev.handofffence.benchmarks.contender.Producer;
import dev.handofffence.benchmarks.contender.Workers;
import dev.handofffence.benchmarks.server.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProviderUtils.DatabaseOptions;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/** Job requests on its PostgreSQL storage. */
public final class JobRunrContender implements Contender {

  /** The least it allows. */
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

  /** What is stored; read back by its fields. */
  public static final class PayloadRequest implements JobRequest {

    private static final long serialVersionUID = 1L;

    private String payload = "";

    /** For the JSON mapper. */
    public PayloadRequest() {}

    public PayloadRequest(String payload) {
      this.payload = payload;
    }

    public String getPayload() {
      return payload;
    }

    @Override
    public Class<PayloadHandler> getJobRequestHandler() {
      return PayloadHandler.class;
    }
  }

  /** Runs the body that the activator has put into it. */
  public static final class PayloadHandler implements JobRequestHandler<PayloadRequest> {

    private final JobBody body;

    PayloadHandler(JobBody body) {
      this.body = body;
    }

    @Override
    public void run(PayloadRequest request) {
      body.run(request.getPayload());
    }
  }

  @Override
  public void createSchema(DataSource superuser) {
    new PostgresStorageProvider(superuser, DatabaseOptions.CREATE).close();
  }

  @Override
  public Producer openProducer(Database database, int threads) throws SQLException {
    HikariDataSource pool = database.pool(threads);
    PostgresStorageProvider storage = storage(pool, new JacksonJsonMapper());
    JobRequestScheduler scheduler = new JobRequestScheduler(storage, List.of());
    return new Producer() {
      @Override
      public void accept(String payload) {
        scheduler.enqueue(new PayloadRequest(payload));
      }

      @Override
      public void acceptAll(List<String> payloads) {
        scheduler.enqueue(payloads.stream().map(PayloadRequest::new));
      }

      @Override
      public void close() {
        scheduler.shutdown();
        storage.close();
        pool.close();
      }
    };
  }

  @Override
  public Workers openWorkers(Database database, int workers, JobBody body) throws SQLException {
    HikariDataSource pool = database.pool(workers + 5);
    JsonMapper mapper = new JacksonJsonMapper();
    PostgresStorageProvider storage = storage(pool, mapper);
    PayloadHandler handler = new PayloadHandler(body);
    JobActivator activator =
        new JobActivator() {
          @Override
          public <T> T activateJob(Class<T> type) {
            return type.cast(handler);
          }
        };
    BackgroundJobServer server =
        new BackgroundJobServer(
            storage,
            mapper,
            activator,
            usingStandardBackgroundJobServerConfiguration()
                .andPollInterval(POLL_INTERVAL)
                .andWorkerCount(workers)
                .andInterruptJobsAwaitDurationOnStopBackgroundJobServer(Duration.ofSeconds(1)));
    return new Workers() {
      @Override
      public void start() {
        server.start();
      }

      @Override
      public void close() {
        server.stop();
        storage.close();
        pool.close();
      }
    };
  }

  @Override
  public String unfinishedQuery() {
    return "SELECT EXISTS (SELECT FROM jobrunr_jobs WHERE state IN ('ENQUEUED', 'PROCESSING'))";
  }

  private static PostgresStorageProvider storage(DataSource source, JsonMapper mapper) {
    PostgresStorageProvider storage =
        new PostgresStorageProvider(source, DatabaseOptions.NO_VALIDATE);
    storage.setJobMapper(new JobMapper(mapper));
    return storage;
  }
}
