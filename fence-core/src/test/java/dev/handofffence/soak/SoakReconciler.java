package dev.handofffence.soak;

import dev.handofffence.CancellationToken;
import dev.handofffence.work.Reconciliation;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkReconciler;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * Asks the provider, and the ledger: where no handoff was ever committed nothing can have been
 * sent, nor can it be any more, since the Work is suspended. Now and then it cannot be reached.
 */
final class SoakReconciler implements WorkReconciler<String, String> {

  private final DataSource database;

  SoakReconciler(DataSource database) {
    this.database = database;
  }

  @Override
  public Reconciliation<String> reconcile(WorkEnvelope<String> work, CancellationToken cancellation)
      throws SQLException {
    if (ThreadLocalRandom.current().nextInt(4) == 0) {
      throw new IllegalStateException("The provider cannot be reached");
    }
    try (Connection connection = database.getConnection()) {
      if (knows(connection, "app.effect", work)) {
        return Reconciliation.applied("seen");
      }
      return knows(connection, "app.ledger", work)
          ? Reconciliation.undecided()
          : Reconciliation.notApplied();
    }
  }

  private static boolean knows(Connection connection, String table, WorkEnvelope<String> work)
      throws SQLException {
    String question = "SELECT FROM %s WHERE activity_id = '%s'".formatted(table, work.activityId());
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(question)) {
      return rows.next();
    }
  }
}
