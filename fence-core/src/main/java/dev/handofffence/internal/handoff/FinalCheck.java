package dev.handofffence.internal.handoff;

import dev.handofffence.Problem;
import dev.handofffence.handoff.HandoffViolationException;
import dev.handofffence.internal.sql.HandoffExit;
import dev.handofffence.internal.sql.HandoffExitSql;
import dev.handofffence.internal.sql.HandoffFacts;
import dev.handofffence.internal.sql.HandoffSession;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jooq.exception.DataAccessException;

/**
 * Everything between the return of the callback and the decision: one round trip, then the checks
 * of protocol section 6, number 13, in their order.
 */
final class FinalCheck {

  private static final String QUERY_CANCELED = "57014";
  private static final String TRANSACTION_ABORTED = "25P02";
  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private final HandoffContext call;
  private final HandoffFacts entry;

  FinalCheck(HandoffContext call, HandoffFacts entry) {
    this.call = call;
    this.entry = entry;
  }

  /**
   * Checks; when it throws, the transaction is settled.
   *
   * @return the late refusal; empty when the decision is the callback's
   */
  Optional<Problem> check() {
    requireSameConnection();
    HandoffExit exit = recheck();
    if (exit.session().transactionId() != entry.transactionId()) {
      throw FenceErrors.unknownState("The callback ended the transaction", null);
    }
    throwViolation(exit.session());
    if (!call.invocation().isLive()) {
      return Optional.of(Problem.NO_LIVE_INVOCATION);
    }
    if (call.token().isCancelled()) {
      throw call.settlement().withdrawCancelled(null, entry);
    }
    return Refusals.time(exit.times());
  }

  private void requireSameConnection() {
    boolean same;
    try {
      same =
          !call.connection().isClosed()
              && !call.connection().getAutoCommit()
              && call.transaction().isTheOnlyOne();
    } catch (SQLException | RuntimeException e) {
      throw FenceErrors.unknownState("The callback left a connection that cannot be used", e);
    }
    if (!same) {
      throw FenceErrors.unknownState(
          "The callback closed or exchanged the connection, or turned autocommit on", null);
    }
  }

  private HandoffExit recheck() {
    try {
      return Trip.send(this::send);
    } catch (SQLException e) {
      throw failed(e);
    } catch (CancellationException neverSent) {
      throw call.settlement().withdrawCancelled(null, entry);
    } catch (RuntimeException e) {
      throw undone(e);
    }
  }

  private HandoffExit send() throws SQLException {
    return HandoffExitSql.recheck(
        call.connection(), call.guard(), call.invocation().claim(), prior());
  }

  /** Settles and returns what the caller is told. */
  private RuntimeException failed(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    boolean ours = state.equals(QUERY_CANCELED) || state.equals(TRANSACTION_ABORTED);
    if (ours && call.token().isCancelled()) {
      return call.settlement().withdrawCancelled(e, entry);
    }
    return switch (state) {
      case TRANSACTION_ABORTED -> violated(Violations.swallowedError(e));
      case INSUFFICIENT_PRIVILEGE -> unreadable(e);
      default -> undone(FenceErrors.statementFailed(e));
    };
  }

  /** The entry could read: unless the right was withdrawn since, the callback changed the role. */
  private RuntimeException unreadable(SQLException e) {
    DataAccessException failure = FenceErrors.statementFailed(e);
    return call.settlement().undoAndFindReadable(entry, failure)
        ? Violations.changedRole(e)
        : failure;
  }

  private void throwViolation(HandoffSession after) {
    Optional<HandoffViolationException> found =
        Violations.of(prior(), after, call.invocation().claim().scope().value(), call.mark());
    if (found.isEmpty()) {
      return;
    }
    if (call.token().isCancelled()) {
      throw call.settlement().withdrawCancelled(found.get(), entry);
    }
    throw violated(found.get());
  }

  private HandoffViolationException violated(HandoffViolationException violation) {
    call.settlement().undoAfter(violation, entry);
    return violation;
  }

  private RuntimeException undone(RuntimeException failure) {
    Settlement.after(failure, () -> call.settlement().undo(entry));
    return failure;
  }

  private HandoffSession prior() {
    return entry.session();
  }
}
