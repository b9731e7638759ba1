package dev.handofffence.benchmarks.peer;

import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.benchmarks.contender.Contender;
import dev.handofffence.benchmarks.contender.JobBody;
import dev.handofffence.benchmarks.contender.Producer;
import dev.handofffence.benchmarks.contender.Workers;
import dev.handofffence.benchmarks.server.Database;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** Triggers of one durable job, each with its payload, on a clustered JDBC store. */
public final class QuartzContender implements Contender {

  private static final String PAYLOAD = "payload";
  private static final String SCRIPT = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";

  /** Only names the job; the job factory makes the instances. */
  public abstract static class PayloadJob implements Job {}

  private static final class BodyJob extends PayloadJob {

    private final JobBody body;

    BodyJob(JobBody body) {
      this.body = body;
    }

    @Override
    public void execute(org.quartz.JobExecutionContext context) {
      body.run(context.getTrigger().getJobDataMap().getString(PAYLOAD));
    }
  }

  @Override
  public void createSchema(DataSource superuser) throws Exception {
    try (Connection connection = superuser.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(script());
    }
  }

  private static String script() throws IOException {
    try (InputStream in = Scheduler.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IllegalStateException("Quartz brings no " + SCRIPT);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** A scheduler that is never started: it stores and runs nothing. */
  @Override
  public Producer openProducer(Database database, int threads) throws Exception {
    HikariDataSource pool = database.pool(threads);
    Scheduler scheduler = scheduler(pool, 1, payload -> {});
    JobDetail job =
        JobBuilder.newJob(PayloadJob.class).withIdentity("bench").storeDurably().build();
    scheduler.addJob(job, true);
    return new Producer() {
      @Override
      public void accept(String payload) throws SchedulerException {
        scheduler.scheduleJob(trigger(job, payload));
      }

      @Override
      public void acceptAll(List<String> payloads) throws SchedulerException {
        Set<Trigger> triggers = new HashSet<>();
        payloads.forEach(payload -> triggers.add(trigger(job, payload)));
        scheduler.scheduleJobs(Map.of(job, triggers), true);
      }

      @Override
      public void close() {
        shutDown(scheduler);
        pool.close();
      }
    };
  }

  @Override
  public Workers openWorkers(Database database, int workers, JobBody body) throws Exception {
    HikariDataSource pool = database.pool(workers + 3);
    Scheduler scheduler = scheduler(pool, workers, body);
    return new Workers() {
      @Override
      public void start() throws SchedulerException {
        scheduler.start();
      }

      @Override
      public void close() {
        shutDown(scheduler);
        pool.close();
      }
    };
  }

  @Override
  public String unfinishedQuery() {
    return "SELECT EXISTS (SELECT FROM qrtz_triggers)"
        + " OR EXISTS (SELECT FROM qrtz_fired_triggers)";
  }

  private static Trigger trigger(JobDetail job, String payload) {
    return TriggerBuilder.newTrigger()
        .withIdentity(UUID.randomUUID().toString())
        .forJob(job)
        .usingJobData(PAYLOAD, payload)
        .startNow()
        .build();
  }

  /** Batches of as many triggers as there are threads, and the shortest wait it recommends. */
  private static Scheduler scheduler(DataSource source, int threads, JobBody body)
      throws SchedulerException {
    String name = UUID.randomUUID().toString();
    DBConnectionManager.getInstance().addConnectionProvider(name, new Provider(source));
    Properties settings = new Properties();
    settings.setProperty("org.quartz.scheduler.instanceName", "bench");
    settings.setProperty("org.quartz.scheduler.instanceId", name);
    settings.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
    settings.setProperty("org.quartz.scheduler.idleWaitTime", "1000");
    settings.setProperty(
        "org.quartz.scheduler.batchTriggerAcquisitionMaxCount", Integer.toString(threads));
    settings.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
    settings.setProperty("org.quartz.threadPool.threadCount", Integer.toString(threads));
    String store = "org.quartz.jobStore.";
    settings.setProperty(store + "class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
    settings.setProperty(
        store + "driverDelegateClass", "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate");
    settings.setProperty(store + "dataSource", name);
    settings.setProperty(store + "isClustered", "true");
    settings.setProperty(store + "acquireTriggersWithinLock", "true");
    settings.setProperty(store + "misfireThreshold", "600000");
    Scheduler scheduler = new StdSchedulerFactory(settings).getScheduler();
    scheduler.setJobFactory((bundle, owner) -> new BodyJob(body));
    return scheduler;
  }

  private static void shutDown(Scheduler scheduler) {
    try {
      scheduler.shutdown(true);
    } catch (SchedulerException e) {
      throw new IllegalStateException("Quartz does not stop", e);
    }
  }

  private record Provider(DataSource source) implements ConnectionProvider {

    @Override
    public Connection getConnection() throws SQLException {
      return source.getConnection();
    }

    @Override
    public void initialize() {
      // The pool is there already.
    }

    @Override
    public void shutdown() {
      // Whoever opened the pool closes it.
    }
  }
}
