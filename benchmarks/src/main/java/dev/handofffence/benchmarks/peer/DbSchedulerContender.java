package dev.handofffence.benchmarks.peer;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.benchmarks.contender.Contender;
import dev.handofffence.benchmarks.contender.JobBody;
import dev.handofffence.benchmarks.contender.Producer;
import dev.handofffence.benchmarks.contender.Seedable;
import dev.handofffence.benchmarks.contender.Workers;
import dev.handofffence.benchmarks.server.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** One-time tasks, polled with lock-and-fetch. A finished task leaves no row. */
public final class DbSchedulerContender implements Contender, Seedable {

  private static final String TASK = "bench";

  private final double lowerLimit;
  private final double upperLimit;

  /**
   * Creates it with the limits of its queue, as fractions of the threads.
   *
   * @param lowerLimit below this it fetches more
   * @param upperLimit up to this it fetches
   */
  public DbSchedulerContender(double lowerLimit, double upperLimit) {
    this.lowerLimit = lowerLimit;
    this.upperLimit = upperLimit;
  }

  @Override
  public void createSchema(DataSource superuser) throws SQLException {
    try (var connection = superuser.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE scheduled_tasks (
            task_name text NOT NULL,
            task_instance text NOT NULL,
            task_data bytea,
            execution_time timestamptz,
            picked boolean NOT NULL,
            picked_by text,
            last_success timestamptz,
            last_failure timestamptz,
            consecutive_failures integer,
            last_heartbeat timestamptz,
            version bigint NOT NULL,
            priority smallint,
            state text,
            PRIMARY KEY (task_name, task_instance)
          );
          CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
          CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
          """);
    }
  }

  @Override
  public Producer openProducer(Database database, int threads) throws SQLException {
    HikariDataSource pool = database.pool(threads);
    OneTimeTask<String> task = task(payload -> {});
    SchedulerClient client = SchedulerClient.Builder.create(pool, task).build();
    return new Producer() {
      @Override
      public void accept(String payload) {
        client.scheduleIfNotExists(task.instance(id(), payload), Instant.now());
      }

      @Override
      public void acceptAll(List<String> payloads) {
        Instant now = Instant.now();
        client.scheduleBatch(
            new ArrayList<>(payloads.stream().map(each -> task.instance(id(), each)).toList()),
            now);
      }

      @Override
      public void close() {
        pool.close();
      }
    };
  }

  @Override
  public Workers openWorkers(Database database, int workers, JobBody body) throws SQLException {
    // Besides the threads, polling and housekeeping use connections.
    HikariDataSource pool = database.pool(workers + 3);
    Scheduler scheduler =
        Scheduler.create(pool, task(body))
            .threads(workers)
            .pollUsingLockAndFetch(lowerLimit, upperLimit)
            .pollingInterval(Duration.ofMillis(100))
            .shutdownMaxWait(Duration.ofSeconds(5))
            .build();
    return new Workers() {
      @Override
      public void start() {
        scheduler.start();
      }

      @Override
      public void close() {
        scheduler.stop();
        pool.close();
      }
    };
  }

  @Override
  public List<String> finished() {
    return List.of();
  }

  /** A text of 100 bytes is serialized as a header, a tag, its length and itself. */
  @Override
  public List<String> pending() {
    return List.of(
        """
        INSERT INTO scheduled_tasks (task_name, task_instance, task_data, execution_time, picked, version)
        SELECT '%s', gen_random_uuid()::text, decode('aced0005740064' || repeat('78', 100), 'hex'),
          now() - interval '1 day' + n * interval '1 ms', false, 1
        FROM generate_series({from}, {to}) AS n
        """
            .formatted(TASK));
  }

  @Override
  public String unfinishedQuery() {
    return "SELECT EXISTS (SELECT FROM scheduled_tasks)";
  }

  private static OneTimeTask<String> task(JobBody body) {
    return Tasks.oneTime(TASK, String.class)
        .execute((instance, context) -> body.run(instance.getData()));
  }

  private static String id() {
    return UUID.randomUUID().toString();
  }
}
