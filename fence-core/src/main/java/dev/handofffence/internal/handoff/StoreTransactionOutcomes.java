package dev.handofffence.internal.handoff;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.TransactionId;
import dev.handofffence.handoff.TransactionOutcome;
import dev.handofffence.handoff.TransactionOutcomes;
import dev.handofffence.internal.sql.TransactionOutcomeSql;
import dev.handofffence.internal.sql.TransactionOutcomeSql.Answer;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.transaction.AutocommitConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Asks the store itself, each time on a connection that had no part in the transaction. */
public final class StoreTransactionOutcomes implements TransactionOutcomes {

  private static final String NEVER_GIVEN_OUT = "22023";

  private final DataSource runtime;
  private final StoreIdentity store;

  public StoreTransactionOutcomes(DataSource runtime, StoreIdentity store) {
    this.runtime = Objects.requireNonNull(runtime, "runtime");
    this.store = Objects.requireNonNull(store, "store");
  }

  @Override
  public TransactionOutcome outcomeOf(TransactionId transaction) {
    requireOwn(transaction.store());
    Answer answer =
        AutocommitConnection.withAnyIsolation(
            runtime,
            "Resolving a transaction's outcome",
            connection -> ask(connection, transaction.value()));
    requireAuthority(answer);
    return outcome(answer.status());
  }

  private void requireOwn(StoreIdentity transactions) {
    if (!transactions.storeId().equals(store.storeId())) {
      throw new DurableException(Problem.STORE_MISMATCH, "a transaction of another store");
    }
    if (!transactions.epoch().equals(store.epoch())) {
      throw new DurableException(Problem.EPOCH_MISMATCH, "a transaction of another epoch");
    }
  }

  /** After a restore the server may never have heard of the id; the store row says so first. */
  private static Answer ask(Connection connection, long transactionId) throws SQLException {
    try {
      return TransactionOutcomeSql.ask(connection, transactionId);
    } catch (SQLException e) {
      if (NEVER_GIVEN_OUT.equals(e.getSQLState())) {
        return TransactionOutcomeSql.identify(connection);
      }
      throw e;
    }
  }

  private void requireAuthority(Answer answer) {
    Optional<Problem> problem = StoreCheck.problem(answer.store(), store);
    if (problem.isPresent()) {
      throw new DurableException(problem.get());
    }
    if (answer.inRecovery()) {
      throw new DurableException(
          Problem.STORE_MISMATCH, "the server is a standby, and only the primary knows");
    }
  }

  private static TransactionOutcome outcome(@Nullable String status) {
    return switch (String.valueOf(status)) {
      case "committed" -> TransactionOutcome.COMMITTED;
      case "aborted" -> TransactionOutcome.ABORTED;
      case "in progress" -> TransactionOutcome.IN_PROGRESS;
      default -> TransactionOutcome.NO_LONGER_KNOWN;
    };
  }
}
