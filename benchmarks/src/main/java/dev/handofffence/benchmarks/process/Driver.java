package dev.handofffence.benchmarks.process;

import dev.handofffence.benchmarks.contender.Contender;
import dev.handofffence.benchmarks.contender.Producer;
import dev.handofffence.benchmarks.contender.Workers;
import dev.handofffence.benchmarks.server.Database;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Carries out the commands of a contender's process. */
final class Driver {

  /** A library may poll seldom. */
  private static final long FIRST_BODY_NANOS = 60_000_000_000L;

  private final Contender contender;
  private @Nullable Session session;

  Driver(Contender contender) {
    this.contender = contender;
  }

  Answer run(Command command) throws Exception {
    if (command instanceof Command.Fill fill) {
      return fill(fill);
    } else if (command instanceof Command.Accept accept) {
      return accept(accept);
    } else if (command instanceof Command.Open open) {
      return open(open);
    } else if (command instanceof Command.Drain drain) {
      return drain(drain);
    } else if (command instanceof Command.StartIdle) {
      return startIdle();
    } else if (command instanceof Command.Produce produce) {
      return produce(produce);
    } else if (command instanceof Command.Collect collect) {
      return collect(collect);
    }
    return new Answer.Clock(System.nanoTime());
  }

  private Answer fill(Command.Fill fill) throws Exception {
    try (Producer producer = contender.openProducer(fill.database(), fill.threads())) {
      return new Acceptors(producer, fill.threads(), fill.batch()).acceptJobs(fill.jobs());
    }
  }

  private Answer accept(Command.Accept accept) throws Exception {
    try (Producer producer = contender.openProducer(accept.database(), accept.threads())) {
      return new Acceptors(producer, accept.threads(), accept.batch()).acceptFor(accept.nanos());
    }
  }

  private Answer open(Command.Open open) throws Exception {
    Bodies bodies = new Bodies();
    Workers workers = contender.openWorkers(open.database(), open.workers(), bodies);
    session = new Session(open.database(), bodies, workers);
    return new Answer.Done();
  }

  private Answer drain(Command.Drain drain) throws Exception {
    Session open = requireSession();
    long cpu = Cpu.processNanos();
    Bodies bodies = open.bodies();
    long polls;
    long nanos;
    try {
      open.workers().start();
      boolean ran = bodies.await(1, FIRST_BODY_NANOS) && bodies.await(drain.jobs(), drain.nanos());
      check(ran || !drain.all(), drain.jobs(), bodies);
      polls = drain.all() ? awaitEnd(open.database(), drain.nanos()) : 0;
      nanos = System.nanoTime() - bodies.firstNanos();
    } finally {
      close(open);
    }
    return new Answer.Drained(bodies.count(), nanos, Cpu.processNanos() - cpu, polls);
  }

  private void close(Session open) {
    session = null;
    open.workers().close();
  }

  private long awaitEnd(Database database, long patienceNanos) throws SQLException {
    long start = System.nanoTime();
    long polls = 0;
    try (var connection = database.unpooled().getConnection();
        var statement = connection.prepareStatement(contender.unfinishedQuery())) {
      while (true) {
        polls++;
        try (var row = statement.executeQuery()) {
          row.next();
          if (!row.getBoolean(1)) {
            return polls;
          }
        }
        if (System.nanoTime() - start > patienceNanos) {
          throw new IllegalStateException("All jobs ran, but some did not end durably");
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private static void check(boolean ran, int expected, Bodies bodies) {
    if (!ran || bodies.count() == 0) {
      throw new IllegalStateException("Only " + bodies.count() + " of " + expected + " jobs ran");
    }
  }

  private Answer startIdle() throws Exception {
    Session open = requireSession();
    open.bodies().keepLatencies();
    open.workers().start();
    return new Answer.Done();
  }

  private Answer produce(Command.Produce produce) throws Exception {
    try (Producer producer = contender.openProducer(produce.database(), 1)) {
      for (int i = 0; i < produce.jobs(); i++) {
        LockSupport.parkNanos(
            ThreadLocalRandom.current()
                .nextLong(produce.leastPauseNanos(), produce.mostPauseNanos()));
        producer.accept(Bodies.payload());
      }
    }
    return new Answer.Done();
  }

  private Answer collect(Command.Collect collect) {
    Session open = requireSession();
    try {
      boolean ran = open.bodies().await(collect.jobs(), collect.patienceNanos());
      check(ran, collect.jobs(), open.bodies());
    } finally {
      close(open);
    }
    return new Answer.PickedUp(open.bodies().latencies());
  }

  private Session requireSession() {
    if (session == null) {
      throw new IllegalStateException("No workers are open");
    }
    return session;
  }

  private record Session(Database database, Bodies bodies, Workers workers) {}
}
