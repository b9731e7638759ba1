package dev.handofffence.internal.sql;

import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.store.StoreRow;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the entry of a handoff found. A row is null when it does not exist, or was not asked for
 * because an earlier fact refuses.
 *
 * @param times null when the Work, the claim's lease or its permit cannot be seen
 */
public record HandoffFacts(
    HandoffSession session,
    @Nullable StoreRow store,
    @Nullable Scope scope,
    @Nullable Work work,
    @Nullable Dispatch dispatch,
    @Nullable Permit permit,
    @Nullable Times times) {

  /** The caller's transaction; only when every fact was read. */
  public long transactionId() {
    return Objects.requireNonNull(times, "times").transactionId();
  }

  /** The scope row, read under its advisory lock. */
  public record Scope(long generation, ScopeState state) {}

  /** The Work row, locked. */
  public record Work(
      WorkState state,
      int attempt,
      long leaseGeneration,
      @Nullable UUID leaseOwner,
      long scopeGeneration,
      UUID epoch,
      boolean cancelRequested) {}

  /** The dispatch row, locked against everything but renewals. */
  public record Dispatch(long leaseGeneration, @Nullable UUID leaseOwner) {}

  /** The permit row, locked. */
  public record Permit(
      PermitState state, int attempt, UUID leaseOwner, long scopeGeneration, UUID epoch) {}

  /**
   * What the database's time says, sampled after every lock.
   *
   * @param leaseIsLive whether the lease has not run out; no lease is none that lives
   * @param deadlineHasPassed false for Work without a deadline
   * @param transactionId the caller's transaction
   */
  public record Times(boolean leaseIsLive, boolean deadlineHasPassed, long transactionId) {}
}
