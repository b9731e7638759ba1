package dev.handofffence.consumer;

import dev.handofffence.StoreIdentity;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.work.WorkExecutorFactory;
import javax.sql.DataSource;

/** The application, wired: a desk that accepts, and a runtime whose pump runs what was accepted. */
public final class ReceiptApplication {

  private final DurableRuntime runtime;
  private final ReceiptDesk desk;

  /**
   * Wires the application; opens no connection and starts nothing.
   *
   * @param database logs in as the runtime role; the application's own transactions use it as well
   * @param dispatcher logs in as the dispatcher role
   * @param store which store and epoch this process is meant for
   */
  public ReceiptApplication(
      DataSource database, DataSource dispatcher, StoreIdentity store, ReceiptProvider provider) {
    this(
        database, dispatcher, store, invocation -> new SendReceipt(invocation, database, provider));
  }

  /** Wires the application with executors of another make. */
  public ReceiptApplication(
      DataSource database,
      DataSource dispatcher,
      StoreIdentity store,
      WorkExecutorFactory<Receipt, ReceiptSent> executors) {
    runtime =
        DurableRuntime.builder()
            .runtimeDataSource(database)
            .dispatcherDataSource(dispatcher)
            .store(store)
            .register(ReceiptWork.SEND, executors)
            .build();
    desk = new ReceiptDesk(database, runtime.work());
  }

  public DurableRuntime runtime() {
    return runtime;
  }

  public ReceiptDesk desk() {
    return desk;
  }
}
