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
 * @param scope the tenant
 * @param state the only one that is listed; empty for all
 * @param suspendReason the only one that is listed; empty for all
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
   * @param scope the tenant
   * @param state the only one that is listed; empty for all
   * @param suspendReason the only one that is listed; empty for all
   * @param contractName every version of it
   * @param after where the page before ended
   * @param limit 1 to {@link Page#MAX_ITEMS}
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

  /**
   * {@return a query for all Works of a scope, a hundred at a time}
   *
   * @param scope the tenant
   */
  public static WorkQuery of(ScopeId scope) {
    return new WorkQuery(
        scope, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), USUAL_LIMIT);
  }

  /**
   * {@return the query for Works in this state}
   *
   * @param wanted the only one that is listed
   */
  public WorkQuery inState(WorkState wanted) {
    return new WorkQuery(scope, Optional.of(wanted), suspendReason, contractName, after, limit);
  }

  /**
   * {@return the query for suspended Works with this reason}
   *
   * @param wanted the only one that is listed
   */
  public WorkQuery suspendedFor(SuspendReason wanted) {
    return new WorkQuery(
        scope, Optional.of(WorkState.SUSPENDED), Optional.of(wanted), contractName, after, limit);
  }

  /**
   * {@return the query for Works of this contract}
   *
   * @param name every version of it
   */
  public WorkQuery ofContract(String name) {
    return new WorkQuery(scope, state, suspendReason, Optional.of(name), after, limit);
  }

  /**
   * {@return the query for the page that follows}
   *
   * @param last the last one of the page before
   */
  public WorkQuery after(WorkId last) {
    return new WorkQuery(scope, state, suspendReason, contractName, Optional.of(last), limit);
  }

  /**
   * {@return the query for pages of another size}
   *
   * @param most 1 to {@link Page#MAX_ITEMS}
   */
  public WorkQuery limit(int most) {
    return new WorkQuery(scope, state, suspendReason, contractName, after, most);
  }
}
