package dev.handofffence.work;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import java.util.Objects;
import java.util.Optional;

/**
 * Which Works of a scope to list, in the order of their ids, which is about that of their
 * acceptance. Immutable; the other methods return changed copies.
 *
 * @param contractName every version of it
 * @param after where the page before ended
 * @param limit 1 to {@link Page#MAX_ITEMS}
 */
public record WorkQuery(
    ScopeId scope,
    Optional<WorkState> state,
    Optional<SuspendReason> suspendReason,
    Optional<String> contractName,
    Optional<WorkId> after,
    int limit) {

  private static final int USUAL_LIMIT = 100;

  /**
   * Checks the values.
   *
   * @throws DurableException DUR100 when the limit is out of range
   */
  public WorkQuery {
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(suspendReason, "suspendReason");
    Objects.requireNonNull(contractName, "contractName");
    Objects.requireNonNull(after, "after");
    if (limit < 1 || limit > Page.MAX_ITEMS) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "limit is " + limit + "; allowed are 1 to " + Page.MAX_ITEMS);
    }
  }

  /** Returns a query for all Works of a scope, a hundred at a time. */
  public static WorkQuery of(ScopeId scope) {
    return new WorkQuery(
        scope, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), USUAL_LIMIT);
  }

  public WorkQuery inState(WorkState wanted) {
    return new WorkQuery(scope, Optional.of(wanted), suspendReason, contractName, after, limit);
  }

  /** Returns the query for suspended Works with this reason. */
  public WorkQuery suspendedFor(SuspendReason wanted) {
    return new WorkQuery(
        scope, Optional.of(WorkState.SUSPENDED), Optional.of(wanted), contractName, after, limit);
  }

  public WorkQuery ofContract(String name) {
    return new WorkQuery(scope, state, suspendReason, Optional.of(name), after, limit);
  }

  public WorkQuery after(WorkId last) {
    return new WorkQuery(scope, state, suspendReason, contractName, Optional.of(last), limit);
  }

  public WorkQuery limit(int most) {
    return new WorkQuery(scope, state, suspendReason, contractName, after, most);
  }
}
