package dev.handofffence.internal.pump;

import dev.handofffence.internal.log.OutageLog;
import dev.handofffence.internal.transaction.StoreConnection;
import dev.handofffence.internal.work.Completions;
import dev.handofffence.internal.work.Leases;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs beside a pass, or beside many: the renewals and the group completion, each with a
 * thread and a connection of its own, and the connections of the pass itself.
 */
final class PumpEngine implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PumpEngine.class);

  private final OutageLog outage = new OutageLog(LOG, "Looking for Work");
  private final StoreConnection runtime;
  private final StoreConnection dispatcher;
  private final LeaseKeeper leases;
  private final CompletionGroup completions;

  private PumpEngine(RuntimeOptions options, Executor signals) {
    this.runtime = new StoreConnection(options.runtimeDataSource());
    this.dispatcher = new StoreConnection(options.dispatcherDataSource());
    this.leases =
        new LeaseKeeper(
            new Leases(options.store()), new StoreConnection(options.runtimeDataSource()), signals);
    this.completions =
        new CompletionGroup(
            new Completions(options.store()), new StoreConnection(options.runtimeDataSource()));
  }

  /**
   * Starts the threads.
   *
   * @param signals where executors are told that they should stop
   */
  static PumpEngine start(RuntimeOptions options, Executor signals) {
    return new PumpEngine(options, signals);
  }

  /** The connection of the thread that runs the pass. */
  StoreConnection runtime() {
    return runtime;
  }

  StoreConnection dispatcher() {
    return dispatcher;
  }

  /** Tells of passes that stop early. */
  OutageLog outage() {
    return outage;
  }

  LeaseKeeper leases() {
    return leases;
  }

  CompletionGroup completions() {
    return completions;
  }

  /** After a loss: the next pass begins with connections that are not known to be dead as well. */
  void forgetConnections() {
    runtime.close();
    dispatcher.close();
  }

  /** Ends in the order in which parts need each other. */
  @Override
  public void close() {
    completions.close();
    leases.close();
    runtime.close();
    dispatcher.close();
  }
}
