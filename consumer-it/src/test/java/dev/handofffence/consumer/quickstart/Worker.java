package dev.handofffence.consumer.quickstart;

import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.ScopeId;
import dev.handofffence.consumer.ConsumerDatabase;
import dev.handofffence.consumer.ObservedDataSource;
import dev.handofffence.consumer.Receipt;
import dev.handofffence.consumer.ReceiptApplication;
import dev.handofffence.consumer.ReceiptProvider;
import dev.handofffence.consumer.ReceiptSent;
import dev.handofffence.consumer.RecordedFence;
import dev.handofffence.consumer.SendReceipt;
import dev.handofffence.handoff.HandoffResult;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.PumpResult;
import dev.handofffence.work.WorkExecutor;
import dev.handofffence.work.WorkExecutorFactory;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs what was accepted: a runtime of its own, and a note of what its fence said.
 */
final class Worker {

  private final String name;
  private final ConsumerDatabase database;
  private final HeldLocks locks;
  private final ReceiptProvider provider;
  private final List<Attempt> attempts = new CopyOnWriteArrayList<>();

  Worker(String name, ConsumerDatabase database, ScopeId scope, ReceiptProvider provider) {
    this.name = name;
    this.database = database;
    this.locks = new HeldLocks(database.superuser(), scope);
    this.provider = provider;
  }

  /** Runs one Work with the application's executor, which stands still before it asks the fence. */
  void runOne(Stall stall) {
    AtomicReference<@Nullable OperationResult<HandoffResult>> decision = new AtomicReference<>();
    DataSource handoffs =
        ObservedDataSource.of(
            database.runtime(),
            new ObservedDataSource.Observer() {
              @Override
              public void ending(Connection transaction) {
                note(decision.get());
              }
            });
    runPass(
        invocation -> {
          SendReceipt executor =
              new SendReceipt(new RecordedFence(invocation, decision::set), handoffs, provider);
          return (work, cancellation) -> {
            stall.happen(work);
            return executor.execute(work, cancellation);
          };
        });
  }

  /**
   * Runs one Work with an executor that has no fence, and stands still between check and effect.
   */
  void runOneNaively(Stall stall) {
    runPass(invocation -> new NaiveSendReceipt(database.runtime(), provider, stall));
  }

  List<Attempt> attempts() {
    return List.copyOf(attempts);
  }

  /** A transaction that ends before the fence has answered is of no interest here. */
  private void note(@Nullable OperationResult<HandoffResult> decision) {
    if (decision != null) {
      attempts.add(new Attempt(name, decision, locks.find()));
    }
  }

  private void runPass(WorkExecutorFactory<Receipt, ReceiptSent> executors) {
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    PumpResult pass =
        new ReceiptApplication(
                database.runtime(),
                database.dispatcher(),
                database.store(),
                invocation -> reporting(executors.create(invocation), failure))
            .runtime()
            .pump()
            .runOnce(PumpPass.of(1));
    pass.stoppedBy()
        .ifPresent(
            problem -> {
              throw new DurableException(problem);
            });
    if (pass.invoked() != 1 || failure.get() != null) {
      throw new IllegalStateException(
          name + " should have run one Work to its end: " + pass, failure.get());
    }
  }

  private static WorkExecutor<Receipt, ReceiptSent> reporting(
      WorkExecutor<Receipt, ReceiptSent> executor, AtomicReference<@Nullable Exception> failure) {
    return (work, cancellation) -> {
      try {
        return executor.execute(work, cancellation);
      } catch (Exception e) {
        failure.set(e);
        throw e;
      }
    };
  }
}
