package dev.handofffence.consumer.quickstart;

import dev.handofffence.CommandId;
import dev.handofffence.ScopeId;
import dev.handofffence.consumer.ConsumerDatabase;
import dev.handofffence.consumer.Receipt;
import dev.handofffence.consumer.ReceiptApplication;
import dev.handofffence.consumer.ReceiptDesk;
import dev.handofffence.consumer.RecordingProvider;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One tenant of the application, with its desk, its provider and its ledger. */
final class Shop {

  private final ConsumerDatabase database;
  private final ScopeId scope;
  private final Receipt receipt;
  private final RecordingProvider provider = new RecordingProvider();
  private final ReceiptDesk desk;

  Shop(ConsumerDatabase database, String name) {
    this.database = database;
    this.scope = ScopeId.of(name);
    this.receipt = new Receipt("receipt-of-" + name, "may-send", "ada@example.org");
    this.desk =
        new ReceiptApplication(
                database.runtime(), database.dispatcher(), database.store(), provider)
            .desk();
  }

  /** Accepts the Work of sending the receipt, with the permission to do so. */
  void order(String command) throws SQLException {
    desk.request(scope, CommandId.of(command), receipt).orElseThrow();
  }

  void revokePermission() throws SQLException {
    desk.revoke(scope, receipt.authorityKey());
  }

  Worker worker(String name) {
    return new Worker(name, database, scope, provider);
  }

  RecordingProvider provider() {
    return provider;
  }

  /** Ends every lease of the shop by the database's clock: what a long stall comes to. */
  void expireLeases() {
    database.execute(
        "UPDATE durable.dispatch SET lease_expires_at = clock_timestamp() - interval '1 second'"
            + " WHERE lease_owner IS NOT NULL AND scope_id = '%s'".formatted(scope.value()));
  }

  /** Returns what happened here. */
  Story story(String title, Worker... workers) throws SQLException {
    List<Attempt> attempts = new ArrayList<>();
    for (Worker worker : workers) {
      attempts.addAll(worker.attempts());
    }
    return new Story(title, attempts, ledger(), provider.deliveries(), lastWorkState());
  }

  private List<String> ledger() throws SQLException {
    return database.list(
        "SELECT concat(logical_operation, ', key ', activity_id, ', attempt ', attempt)"
            + " FROM consumer.ledger WHERE scope_id = '%s'".formatted(scope.value()));
  }

  private String lastWorkState() {
    return database.ask(
        "SELECT state FROM durable.work WHERE scope_id = '%s' ORDER BY work_id DESC LIMIT 1"
            .formatted(scope.value()));
  }
}
