package dev.handofffence.runtime;

import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.internal.operator.OperatorQueries;
import dev.handofffence.internal.operator.ScopeCommands;
import dev.handofffence.internal.operator.WorkCommands;
import dev.handofffence.internal.state.CommandKind;
import dev.handofffence.work.CommandOutcome;
import dev.handofffence.work.DisabledScope;
import dev.handofffence.work.EpochRelease;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.Page;
import dev.handofffence.work.ScopeCommand;
import dev.handofffence.work.ScopeView;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDetails;
import dev.handofffence.work.WorkHistoryEntry;
import dev.handofffence.work.WorkQuery;
import dev.handofffence.work.WorkView;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * What an operator looks at and decides, with the operator role (protocol section 4). Opens a
 * connection for each call. Thread-safe.
 *
 * <p>Every command is one transaction, which has committed when it returns a success. It is
 * identified by its command id: repeating it is answered with the first outcome, and another
 * command under the same id is refused with DUR102. Actor and reason go into the history of the
 * Work.
 *
 * <p>Commands are refused, with nothing changed, by a schema problem, DUR115 or DUR108 for another
 * store or epoch, DUR113 for an unknown scope, DUR111 for an unknown Work, DUR110 when it has
 * ended, DUR112 when its revision is not the expected one, DUR116 when its state has no such step,
 * and DUR118 when it stays locked for ten seconds, by a handoff or by the same command elsewhere.
 *
 * <p>Every method throws {@link DurableException} DUR103 when the database cannot be reached or
 * loses the connection, reading ones also the problem of an unusable store, and {@link
 * org.jooq.exception.DataAccessException} for any other error of the database.
 */
public final class WorkOperator {

  private static final Duration LONGEST_PATIENCE = Duration.ofDays(1);

  private final OperatorQueries queries;
  private final WorkCommands works;
  private final ScopeCommands scopes;

  private WorkOperator(DataSource operator, StoreIdentity store) {
    this.queries = new OperatorQueries(store, operator);
    this.works = new WorkCommands(store, operator);
    this.scopes = new ScopeCommands(store, operator);
  }

  /**
   * {@return the operator's side of a store} Opens nothing.
   *
   * @param operator connections of the operator role
   * @param store the store, and the epoch that must be active
   */
  public static WorkOperator of(DataSource operator, StoreIdentity store) {
    return new WorkOperator(
        Objects.requireNonNull(operator, "operator"), Objects.requireNonNull(store, "store"));
  }

  /**
   * Lists scopes in the order of their ids.
   *
   * @param after where the page before ended
   * @param limit 1 to {@link Page#MAX_ITEMS}
   * @return the page
   * @throws DurableException DUR100 when the limit is out of range
   */
  public Page<ScopeView, ScopeId> scopes(Optional<ScopeId> after, int limit) {
    requireLimit(limit);
    return queries.scopes(after, limit);
  }

  /**
   * Lists Works of one scope.
   *
   * @param query which Works
   * @return the page
   */
  public Page<WorkView, WorkId> works(WorkQuery query) {
    return queries.works(query);
  }

  /**
   * {@return one Work with its permits and the end of its history; empty when there is none}
   *
   * @param scope the tenant
   * @param workId which Work
   */
  public Optional<WorkDetails> find(ScopeId scope, WorkId workId) {
    return queries.find(scope, workId);
  }

  /**
   * {@return a part of a Work's history, oldest first}
   *
   * @param after entry where the page before ended; zero for the first page
   * @param limit 1 to {@link Page#MAX_ITEMS}
   * @param scope the tenant
   * @param workId which Work
   * @throws DurableException DUR100 when the limit is out of range
   */
  public Page<WorkHistoryEntry, Long> history(ScopeId scope, WorkId workId, long after, int limit) {
    requireLimit(limit);
    return queries.history(scope, workId, after, limit);
  }

  /**
   * Lists the workers that registered with the store, the one that reported last first.
   *
   * @param limit 1 to {@link Page#MAX_ITEMS}
   * @return the workers
   * @throws DurableException DUR100 when the limit is out of range
   */
  public List<WorkerView> workers(int limit) {
    requireLimit(limit);
    return queries.workers(limit);
  }

  /**
   * Asks a worker to take no more Work and to let its attempts end; it hears that with its next
   * heartbeat. Repeating it is harmless.
   *
   * @param workerId which worker
   * @return whether there is such a worker, which has not stopped
   */
  public boolean drain(UUID workerId) {
    return queries.drain(workerId, true);
  }

  /**
   * Takes {@link #drain} back.
   *
   * @param workerId which worker
   * @return whether there is such a worker, which has not stopped
   */
  public boolean resume(UUID workerId) {
    return queries.drain(workerId, false);
  }

  /**
   * Cancels a Work, as {@link dev.handofffence.work.WorkCancellation} says. A Work of which an
   * effect may have happened stays suspended until evidence decides.
   *
   * @param command who wants it, of which Work, and under which identity
   * @return what was done, or why not
   */
  public OperationResult<CommandOutcome> cancel(WorkCommand command) {
    return works.cancel(command);
  }

  /**
   * Ends the uncertainty about a suspended Work by what its provider answered to a question without
   * effect. Applied makes it succeeded; not applied means another attempt, or, when none is left,
   * failed; a requested cancellation is carried out then.
   *
   * @param command who wants it, of which Work, and under which identity
   * @param evidence what is known about the effect
   * @return DUR117 when no effect of it is in doubt, when the result is of another contract, and
   *     for Work with manual resolution, about which only {@link #resolve} decides
   * @throws DurableException DUR100 when the command expects no revision
   */
  public OperationResult<CommandOutcome> reconcile(WorkCommand command, Evidence evidence) {
    return works.prove(CommandKind.RECONCILE, command, evidence);
  }

  /**
   * Ends the uncertainty about a suspended Work by a person's word; as {@link #reconcile}, for
   * every provider safety. With manual resolution applied needs a result, and not applied leaves
   * the Work suspended, to be retried or canceled by another command.
   *
   * @param command who wants it, of which Work, and under which identity
   * @param evidence what is known about the effect
   * @return DUR117 when no effect of it is in doubt, or the result is missing or of another
   *     contract
   * @throws DurableException DUR100 when the command expects no revision
   */
  public OperationResult<CommandOutcome> resolve(WorkCommand command, Evidence evidence) {
    return works.prove(CommandKind.RESOLVE, command, evidence);
  }

  /**
   * Makes a suspended Work try once more, at once or at the next slot of its attempt plan, also
   * when the attempts of its retry policy are used up.
   *
   * @param command who wants it, of which Work, and under which identity
   * @return DUR117 when an effect is in doubt and its provider safety does not allow a repetition:
   *     resolve it first; DUR116 for Work that is to be released, or whose horizon has elapsed;
   *     DUR123 after its deadline; DUR122 when its cancellation was requested; DUR107 in a disabled
   *     scope
   * @throws DurableException DUR100 when the command expects no revision
   */
  public OperationResult<CommandOutcome> retry(WorkCommand command) {
    return works.retry(command);
  }

  /**
   * Lets a Work go on that is suspended for its contract, which is there by now, or for the epoch;
   * takes one that waits for a decision over into the active epoch, where reconcilers are asked.
   * Where an effect is in doubt and may not be repeated, it waits for a decision about that
   * instead.
   *
   * @param command who wants it, of which Work, and under which identity
   * @return DUR116 for Work that is suspended for another reason; DUR107 in a disabled scope
   * @throws DurableException DUR100 when the command expects no revision
   */
  public OperationResult<CommandOutcome> release(WorkCommand command) {
    return works.release(command);
  }

  /**
   * Takes the next Works of a scope over into the active epoch, after a rotation: those suspended
   * for it, those in doubt, and those still runnable or owned. Repeat with other command ids while
   * there are more.
   *
   * @param limit 1 to {@link Page#MAX_ITEMS}; how many Works one transaction locks
   * @param command who wants it, of which Work, and under which identity
   * @return DUR107 in a disabled scope
   * @throws DurableException DUR100 when the limit is out of range
   */
  public OperationResult<EpochRelease> releaseEpoch(ScopeCommand command, int limit) {
    requireLimit(limit);
    return scopes.releaseEpoch(command, limit);
  }

  /**
   * Disables a scope for good: nothing is accepted or permitted in it from then on, and all of its
   * Work that is runnable or owned is suspended, in one transaction. Permits whose attempts had not
   * ended are unresolved then; what those attempts still report is kept in the history.
   *
   * <p>Waits for the transactions that use the scope, in slices of 200 ms between which it lets
   * others pass.
   *
   * @param patience how long to wait, zero to one day
   * @param command who wants it, of which Work, and under which identity
   * @return DUR107 when it was disabled by another command
   * @throws ScopeLockedException when transactions are in the way until patience runs out
   * @throws DurableException DUR100 when patience is out of range
   */
  public OperationResult<DisabledScope> disableScope(ScopeCommand command, Duration patience) {
    if (patience.isNegative() || patience.compareTo(LONGEST_PATIENCE) > 0) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "patience is " + patience + "; allowed are PT0S to PT24H");
    }
    return scopes.disable(command, patience);
  }

  private static void requireLimit(int limit) {
    if (limit < 1 || limit > Page.MAX_ITEMS) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "limit is " + limit + "; allowed are 1 to " + Page.MAX_ITEMS);
    }
  }
}
