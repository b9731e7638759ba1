package dev.handofffence.internal.operator;

import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import java.util.Set;
import java.util.function.Supplier;
import org.jooq.exception.DataAccessException;

/** Turns the database's errors that mean a refusal into one; nothing was written then. */
final class Refusable {

  private static final Set<String> NO_SCHEMA = Set.of("42P01", "3F000");
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String UNIQUE_VIOLATION = "23505";

  private Refusable() {}

  /**
   * Runs a transaction, and once more when another one has just committed a command under the same
   * id: it is found then.
   */
  static <T> OperationResult<T> run(Supplier<OperationResult<T>> transaction) {
    try {
      return transaction.get();
    } catch (DataAccessException e) {
      if (UNIQUE_VIOLATION.equals(e.sqlState())) {
        return transaction.get();
      } else if (LOCK_NOT_AVAILABLE.equals(e.sqlState())) {
        return OperationResult.failure(Problem.COMMAND_IN_PROGRESS);
      } else if (NO_SCHEMA.contains(e.sqlState())) {
        return OperationResult.failure(Problem.SCHEMA_MISSING);
      }
      throw e;
    }
  }
}
