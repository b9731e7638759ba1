package dev.handofffence.benchmarks.peer;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.benchmarks.contender.Contender;
import dev.handofffence.benchmarks.contender.Ends;
import dev.handofffence.benchmarks.contender.JobBody;
import dev.handofffence.benchmarks.contender.Producer;
import dev.handofffence.benchmarks.contender.Workers;
import dev.handofffence.benchmarks.server.Database;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Scheduled calls of an interface, flushed in a loop. */
public final class TransactionOutboxContender implements Contender {

  /** The calls; the library makes a proxy of it. */
  public interface Calls {
    void call(String payload);
  }

  /** Nothing runs in the process that accepts. */
  private static final Submitter NOWHERE = (entry, local) -> {};

  /** A flush takes what is due, and that is two minutes after it was accepted. */
  private static final Clock PAST = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-5));

  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  @Override
  public void createSchema(DataSource superuser) {
    outbox(TransactionManager.fromDataSource(superuser), NOWHERE, PAST, payload -> {});
  }

  @Override
  public Producer openProducer(Database database, int threads) throws SQLException {
    HikariDataSource pool = database.pool(threads);
    TransactionManager transactions = TransactionManager.fromDataSource(pool);
    TransactionOutbox outbox = outbox(transactions, NOWHERE, PAST, payload -> {});
    return new Producer() {
      @Override
      public void accept(String payload) {
        transactions.inTransaction(tx -> outbox.schedule(Calls.class).call(payload));
      }

      @Override
      public void acceptAll(List<String> payloads) {
        transactions.inTransaction(
            tx -> {
              Calls calls = outbox.schedule(Calls.class);
              payloads.forEach(calls::call);
            });
      }

      @Override
      public void close() {
        pool.close();
      }
    };
  }

  @Override
  public Workers openWorkers(Database database, int workers, JobBody body) throws SQLException {
    return new FlushingWorkers(database.pool(workers + 1), workers, body);
  }

  @Override
  public String unfinishedQuery() {
    return "SELECT EXISTS (SELECT FROM txno_outbox)";
  }

  private static TransactionOutbox outbox(
      TransactionManager transactions, Submitter submitter, Clock clock, JobBody body) {
    Calls calls = body::run;
    return TransactionOutbox.builder()
        .transactionManager(transactions)
        .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
        .instantiator(Instantiator.using(type -> calls))
        .submitter(submitter)
        .clockProvider(() -> clock)
        .build();
  }

  private static final class FlushingWorkers implements Workers {

    private final HikariDataSource pool;
    private final ExecutorService executor;
    private final TransactionOutbox outbox;
    private final Thread flushing = new Thread(this::flush, "outbox-flush");
    private volatile boolean stopped;

    FlushingWorkers(HikariDataSource pool, int workers, JobBody body) {
      this.pool = pool;
      this.executor = Executors.newFixedThreadPool(workers);
      this.outbox =
          outbox(
              TransactionManager.fromDataSource(pool),
              Submitter.withExecutor(executor),
              Clock.systemUTC(),
              body);
    }

    @Override
    public void start() {
      flushing.start();
    }

    private void flush() {
      while (!stopped) {
        if (!outbox.flush()) {
          LockSupport.parkNanos(IDLE_NANOS);
        }
      }
    }

    @Override
    public void close() {
      stopped = true;
      Ends.join(flushing);
      Ends.shutDown(executor);
      pool.close();
    }
  }
}
