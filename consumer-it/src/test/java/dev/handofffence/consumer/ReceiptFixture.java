package dev.handofffence.consumer;

import dev.handofffence.CancellationToken;
import dev.handofffence.CommandId;
import dev.handofffence.ScopeId;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.PumpResult;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkExecutorFactory;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The application on a database of its own, with what tests do to it. */
final class ReceiptFixture implements AutoCloseable {

  static final ScopeId SCOPE = ScopeId.of("shop-1");

  final ConsumerDatabase database = ConsumerDatabase.create();
  final RecordingProvider provider = new RecordingProvider();
  private final ReceiptApplication application =
      new ReceiptApplication(database.runtime(), database.dispatcher(), database.store(), provider);

  /** What happens to an attempt between its permit and its fence. */
  @FunctionalInterface
  interface Stall {
    void happen(WorkEnvelope<Receipt> work) throws Exception;
  }

  ReceiptDesk desk() {
    return application.desk();
  }

  AcceptedWork accept(String command, Receipt receipt) throws SQLException {
    return desk().request(SCOPE, CommandId.of(command), receipt).orElseThrow();
  }

  static Receipt receipt(String operation) {
    return new Receipt(operation, "may-send-" + operation, "ada@example.org");
  }

  /** Runs one pass of a worker with the application's own executor. */
  PumpResult pass() {
    return pass(database.runtime(), provider, work -> {});
  }

  /** Runs one pass of a worker that stalls before its fence. */
  PumpResult passStalled(Stall stall) {
    return pass(database.runtime(), provider, stall);
  }

  PumpResult pass(DataSource handoffs, ReceiptProvider to, Stall stall) {
    return runOnce(
        invocation -> {
          SendReceipt executor = new SendReceipt(invocation, handoffs, to);
          return (work, cancellation) -> {
            stall.happen(work);
            return executor.execute(work, cancellation);
          };
        },
        CancellationToken.none());
  }

  /** Runs one pass of a worker whose handoff transactions are observed. */
  PumpResult passObserved(ObservedDataSource.Observer observer, CancellationToken shutdown) {
    DataSource handoffs = ObservedDataSource.of(database.runtime(), observer);
    return runOnce(invocation -> new SendReceipt(invocation, handoffs, provider), shutdown);
  }

  /** Runs one pass of a worker to which something happens right after the fence has decided. */
  PumpResult passDecided(Runnable afterDecision, CancellationToken shutdown) {
    return runOnce(
        invocation ->
            new SendReceipt(
                new RecordedFence(invocation, decision -> afterDecision.run()),
                database.runtime(),
                provider),
        shutdown);
  }

  private PumpResult runOnce(
      WorkExecutorFactory<Receipt, ReceiptSent> executors, CancellationToken shutdown) {
    return new ReceiptApplication(
            database.runtime(), database.dispatcher(), database.store(), executors)
        .runtime()
        .pump()
        .runOnce(PumpPass.of(1), shutdown);
  }

  /** Ends the lease of the Work by the database's clock, without waiting for it. */
  void expireLease(WorkEnvelope<Receipt> work) {
    database.execute(
        "UPDATE durable.dispatch SET lease_expires_at = clock_timestamp() - interval '1 second'"
            + " WHERE work_id = '%s'".formatted(work.workId()));
  }

  /** Makes a Work that waits for its retry due. */
  void makeDue(AcceptedWork work) {
    database.execute(
        "UPDATE durable.dispatch SET due_at = clock_timestamp() WHERE work_id = '%s'"
            .formatted(work.workId()));
  }

  String stateOf(AcceptedWork work) {
    return database.ask(
        "SELECT state FROM durable.work WHERE work_id = '%s'".formatted(work.workId()));
  }

  /** Returns the exit code that the Work's history has last. */
  String lastCode(AcceptedWork work) {
    return database.ask(
        "SELECT code FROM durable.work_history WHERE work_id = '%s' AND code IS NOT NULL"
                .formatted(work.workId())
            + " ORDER BY entry DESC LIMIT 1");
  }

  String permitStates(AcceptedWork work) {
    return database.ask(
        "SELECT string_agg(state, ' ' ORDER BY attempt) FROM durable.permit WHERE work_id = '%s'"
            .formatted(work.workId()));
  }

  /** Returns the ledger as text: operation, activity, attempt. */
  String ledger() {
    return database.ask(
        "SELECT coalesce(string_agg(concat_ws(' ', logical_operation, activity_id, attempt), ', '"
            + " ORDER BY logical_operation), '') FROM consumer.ledger");
  }

  @Override
  public void close() {
    database.close();
  }
}
