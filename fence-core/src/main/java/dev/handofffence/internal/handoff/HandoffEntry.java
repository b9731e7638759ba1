package dev.handofffence.internal.handoff;

import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.internal.sql.HandoffEntrySql;
import dev.handofffence.internal.sql.HandoffFacts;
import dev.handofffence.internal.transaction.CallersTransaction;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jooq.exception.DataAccessException;

/**
 * Everything before the callback: one round trip, and a second one when it is refused, after which
 * nothing is left of the first.
 */
final class HandoffEntry {

  private static final String QUERY_CANCELED = "57014";

  /** The server says it of a statement that would lock rows before it runs it. */
  private static final String READ_ONLY_TRANSACTION = "25006";

  /** What the fence's statements meet when the schema was never migrated. */
  private static final Set<String> UNDEFINED_TABLE_OR_SCHEMA = Set.of("42P01", "3F000");

  private final HandoffContext call;

  HandoffEntry(HandoffContext call) {
    this.call = call;
  }

  /**
   * Enters.
   *
   * @return the facts, all of which hold, or the first refusal
   * @throws dev.handofffence.DurableException DUR101 when the server says that the transaction is
   *     not READ COMMITTED or read-only; nothing was locked
   */
  OperationResult<HandoffFacts> enter() {
    HandoffFacts facts;
    try {
      facts = Trip.send(this::send);
    } catch (SQLException e) {
      return failed(e);
    } catch (CancellationException neverSent) {
      throw FenceErrors.cancelled(null);
    } catch (RuntimeException e) {
      Settlement.after(e, call.settlement()::withdraw);
      throw e;
    }
    return judge(facts);
  }

  private HandoffFacts send() throws SQLException {
    Invocation invocation = call.invocation();
    return HandoffEntrySql.enter(
        call.connection(), call.guard(), invocation.claim(), invocation.store(), call.mark());
  }

  private OperationResult<HandoffFacts> judge(HandoffFacts facts) {
    if (call.token().isCancelled()) {
      throw call.settlement().withdrawCancelled(null);
    }
    if (!facts.session().isReadCommittedReadWrite()) {
      call.settlement().withdraw();
      throw CallersTransaction.required("the transaction is not READ COMMITTED");
    }
    Optional<Problem> refusal =
        Refusals.atEntry(facts, call.invocation().claim(), call.invocation().store());
    if (refusal.isPresent()) {
      call.settlement().withdraw();
      return OperationResult.failure(refusal.get());
    }
    return OperationResult.success(facts);
  }

  private OperationResult<HandoffFacts> failed(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    if (state.equals(READ_ONLY_TRANSACTION)) {
      call.settlement().withdraw();
      throw CallersTransaction.required("the transaction or the server is read-only");
    }
    if (state.equals(QUERY_CANCELED) && call.token().isCancelled()) {
      throw call.settlement().withdrawCancelled(e);
    }
    DataAccessException failure = FenceErrors.statementFailed(e);
    if (UNDEFINED_TABLE_OR_SCHEMA.contains(state)) {
      if (call.settlement().withdrawAndFindSchemaMissing(failure)) {
        return OperationResult.failure(Problem.SCHEMA_MISSING);
      }
    } else {
      Settlement.after(failure, call.settlement()::withdraw);
    }
    throw failure;
  }
}
