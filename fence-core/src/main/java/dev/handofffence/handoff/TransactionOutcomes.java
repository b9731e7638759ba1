package dev.handofffence.handoff;

import dev.handofffence.TransactionId;

/**
 * Asks the store what became of a transaction, on a fresh connection to its primary (protocol
 * sections 5 and 10). Thread-safe.
 *
 * <p>JDBC's {@code commit()} returns normally when an SQL error was swallowed before it, although
 * PostgreSQL rolled back; and a commit whose answer was lost may have happened. Ask before the
 * provider is called.
 */
public interface TransactionOutcomes {

  /**
   * {@return what became of the transaction}
   *
   * @param transaction what a prepared handoff, or the application, named
   * @throws dev.handofffence.DurableException DUR103 when the store cannot be reached, DUR115 or
   *     DUR108 when it is another store or epoch, or not the primary
   */
  TransactionOutcome outcomeOf(TransactionId transaction);

  /**
   * Returns when the transaction has committed; call it between {@code commit()} and the provider.
   *
   * @param transaction what a prepared handoff, or the application, named
   * @throws HandoffNotCommittedException when it has not, or nobody can tell: do not call the
   *     provider
   * @throws dev.handofffence.DurableException as {@link #outcomeOf}
   */
  default void requireCommitted(TransactionId transaction) {
    TransactionOutcome outcome = outcomeOf(transaction);
    if (outcome != TransactionOutcome.COMMITTED) {
      throw new HandoffNotCommittedException(outcome);
    }
  }
}
