package dev.handofffence.internal.operator;

import dev.handofffence.internal.sql.RetentionSql;
import dev.handofffence.internal.sql.RetentionSql.Batch;
import dev.handofffence.internal.sql.RetentionSql.Position;
import dev.handofffence.internal.transaction.AutocommitConnection;
import dev.handofffence.runtime.RetentionPolicy;
import dev.handofffence.runtime.RetentionPosition;
import dev.handofffence.runtime.RetentionResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Looks through finished Work, and then through the memory of commands, in short transactions. */
public final class Retention {

  private static final int BATCH_ROWS = 1_000;

  private final DataSource retention;

  public Retention(DataSource retention) {
    this.retention = retention;
  }

  public RetentionResult run(RetentionPolicy policy, RetentionPosition from, int maxRows) {
    return AutocommitConnection.with(
        retention, "Retention", connection -> run(connection, policy, from, maxRows));
  }

  private static RetentionResult run(
      Connection connection, RetentionPolicy policy, RetentionPosition from, int maxRows)
      throws SQLException {
    Sum sum = new Sum();
    if (from.equals(RetentionPosition.START)) {
      sum.workers = RetentionSql.removeWorkers(connection, policy.work(), BATCH_ROWS);
    }
    RetentionPosition at = from;
    while (at != null && sum.examined < maxRows) {
      int rows = (int) Math.min(BATCH_ROWS, maxRows - sum.examined);
      at = step(connection, policy, at, rows, sum);
    }
    return sum.result(at);
  }

  /** One transaction; returns where to go on, and null at the end. */
  private static @Nullable RetentionPosition step(
      Connection connection, RetentionPolicy policy, RetentionPosition at, int rows, Sum sum)
      throws SQLException {
    Position after = new Position(at.scope(), at.key());
    if (at.inIdentities()) {
      Batch batch = RetentionSql.forget(connection, policy.identities(), after, rows);
      sum.forgotten(batch);
      return batch.next().map(next -> position(true, next)).orElse(null);
    }
    Batch batch = RetentionSql.removeWork(connection, policy.work(), states(policy), after, rows);
    sum.removed(batch);
    return batch
        .next()
        .map(next -> position(false, next))
        .orElseGet(() -> new RetentionPosition(true, Optional.empty(), Optional.empty()));
  }

  private static RetentionPosition position(boolean inIdentities, Position next) {
    return new RetentionPosition(inIdentities, next.scope(), next.key());
  }

  private static String[] states(RetentionPolicy policy) {
    return policy.states().stream()
        .map(state -> state.name().toLowerCase(Locale.ROOT))
        .toArray(String[]::new);
  }

  /** What the transactions of a pass did together. */
  private static final class Sum {
    private long examined;
    private long works;
    private long identities;
    private long commands;
    private long workers;

    void removed(Batch batch) {
      examined += batch.examined();
      works += batch.removed();
    }

    void forgotten(Batch batch) {
      examined += batch.examined();
      identities += batch.removed();
      commands += batch.removedCommands();
    }

    RetentionResult result(@Nullable RetentionPosition next) {
      return new RetentionResult(
          examined, works, identities, commands, workers, Optional.ofNullable(next));
    }
  }
}
