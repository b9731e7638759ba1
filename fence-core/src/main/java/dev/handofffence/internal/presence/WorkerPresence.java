package dev.handofffence.internal.presence;

import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.log.OutageLog;
import dev.handofffence.internal.sql.SqlFailure;
import dev.handofffence.internal.sql.WakeSql;
import dev.handofffence.internal.sql.WorkerSql;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.store.UnusableStoreException;
import dev.handofffence.internal.thread.Backoff;
import dev.handofffence.internal.thread.Doorbell;
import dev.handofffence.internal.thread.Threads;
import dev.handofffence.internal.transaction.FailureKind;
import dev.handofffence.internal.transaction.StoreConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers a worker, reports that it is alive and listens for notifications, from one thread on
 * one connection of its own. Each report is also the proof that the listening session still lives:
 * a half-open one would otherwise stay silent for ever. Thread-safe.
 */
public final class WorkerPresence implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerPresence.class);

  /** Bounds how long the thread, while it listens, is deaf to everybody else. */
  private static final Duration LISTENING_SLICE = Duration.ofMillis(250);

  private final StoreIdentity store;
  private final StoreConnection connection;
  private final WorkerSql.Self self;
  private final Duration heartbeat;
  private final boolean listens;
  private final Runnable onNews;
  private final OutageLog outage = new OutageLog(LOG, "Reporting to the store");
  private final Backoff backoff =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), new SplittableRandom());
  private final RoleWarning role = new RoleWarning();
  private final Crowd crowd = new Crowd(System::nanoTime);
  private final Doorbell doorbell = new Doorbell();
  private final Thread thread;

  private volatile Standing standing = Standing.unknown();
  private volatile int session = IdleMark.NO_SESSION;
  private volatile boolean hurry;
  private volatile boolean closed;

  /** These belong to the thread. */
  private int sessions;

  private long reportAt = System.nanoTime();

  /**
   * Starts the thread; it connects by itself.
   *
   * @param listens whether notifications are wanted
   * @param onNews runs on the thread when there may be Work or the standing has changed; must not
   *     block
   */
  public WorkerPresence(
      StoreIdentity store,
      StoreConnection connection,
      WorkerSql.Self self,
      Duration heartbeat,
      boolean listens,
      Runnable onNews) {
    this.store = store;
    this.connection = connection;
    this.self = self;
    this.heartbeat = heartbeat;
    this.listens = listens;
    this.onNews = onNews;
    this.thread = Threads.start("presence", this::run);
  }

  /** Returns what the store last said, or why it says nothing. */
  public Standing standing() {
    return standing;
  }

  /** Returns what the worker says by hand of this presence: whether it has nothing to do. */
  public IdleMark idleMark() {
    return new IdleMark(store, self, this::session, crowd);
  }

  /** Returns the number of the session that hears notifications; none while there is none. */
  private int session() {
    return session;
  }

  /** Asks for a report at once: something seems to have changed. */
  public void hurry() {
    hurry = true;
    doorbell.ring();
  }

  /** Says that the worker has stopped, if the store answers, and gives the connection back. */
  @Override
  public void close() {
    closed = true;
    doorbell.ring();
    Threads.join(thread);
  }

  private void run() {
    try {
      while (!closed) {
        cycle();
      }
      leave();
    } finally {
      connection.close();
    }
  }

  private void cycle() {
    try {
      if (isReportDue()) {
        report();
      }
      awaitNews();
    } catch (SQLException e) {
      failed(FailureKind.of(e).problem().orElse(Problem.STORE_UNAVAILABLE), why(e));
    } catch (UnusableStoreException e) {
      failed(e.problem(), e.observed().orElse("the connection"));
    } catch (RuntimeException e) { // of a data source
      failed(Problem.STORE_UNAVAILABLE, e.getClass().getName());
    }
  }

  private static String why(SQLException failure) {
    return FailureKind.of(failure) == FailureKind.UNAVAILABLE
        ? SqlFailure.observed(failure)
        : "SQLSTATE " + failure.getSQLState();
  }

  private boolean isReportDue() {
    return hurry || reportAt - System.nanoTime() <= 0;
  }

  private void report() throws SQLException {
    hurry = false;
    WorkerSql.Answer answer =
        connection.inOneTrip(c -> WorkerSql.announce(c, store, self, listens));
    reportAt = System.nanoTime() + heartbeat.toNanos();
    backoff.reset();
    boolean hearsAgain = listens && session == IdleMark.NO_SESSION;
    if (hearsAgain) {
      session = ++sessions;
    }
    judge(answer);
    role.lookOnce(connection);
    if (hearsAgain) {
      onNews.run(); // what was notified before was not heard
    }
  }

  private void judge(WorkerSql.Answer answer) {
    Optional<Problem> problem = StoreCheck.problem(answer.store(), store);
    if (problem.isEmpty() && !answer.registered()) {
      problem = Optional.of(Problem.WORKER_IDENTITY_CONFLICT);
    }
    problem.ifPresentOrElse(p -> outage.failed(p.code()), outage::succeeded);
    take(new Standing(problem.isEmpty(), problem, Optional.empty(), answer.drainRequested()));
  }

  /** The registration is not lost with a connection. */
  private void failed(Problem problem, String why) {
    outage.failed(problem.code() + ", " + why);
    Standing last = standing;
    take(
        new Standing(
            last.registered(), Optional.of(problem), Optional.of(why), last.drainRequested()));
    session = IdleMark.NO_SESSION;
    reportAt = System.nanoTime();
    doorbell.await(backoff.next());
  }

  private void take(Standing next) {
    boolean changed = !next.equals(standing);
    standing = next;
    if (changed) {
      onNews.run();
    }
  }

  private void awaitNews() throws SQLException {
    if (!listens) {
      doorbell.await(Math.min(LISTENING_SLICE.toNanos(), reportAt - System.nanoTime()));
      return;
    }
    int heard = connection.inOneTrip(c -> WakeSql.await(c, LISTENING_SLICE));
    boolean isNews = heard > 0 && crowd.nanosOfRest() == 0;
    crowd.heard(heard);
    if (isNews) {
      onNews.run();
    }
  }

  private void leave() {
    try {
      connection.inOneTrip(
          c -> {
            WorkerSql.leave(c, store, self, listens);
            return closed;
          });
    } catch (SQLException e) {
      LOG.info("The worker could not say that it stopped: SQLSTATE {}", e.getSQLState());
    } catch (RuntimeException e) {
      LOG.info("The worker could not say that it stopped: {}", e.getClass().getName());
    }
  }

  /**
   * Where a worker stands with its store.
   *
   * @param registered whether it was registered the last time the store answered
   * @param problem why it should take no Work, or why the store does not answer
   * @param observed what was seen of that, a fixed text
   */
  public record Standing(
      boolean registered,
      Optional<Problem> problem,
      Optional<String> observed,
      boolean drainRequested) {

    static Standing unknown() {
      return new Standing(false, Optional.empty(), Optional.empty(), false);
    }
  }
}
