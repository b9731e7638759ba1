package dev.handofffence.internal.operator;

import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.internal.sql.BlockingBackends;
import dev.handofffence.internal.sql.CommandRecord;
import dev.handofffence.internal.sql.DisableScopeSql;
import dev.handofffence.internal.sql.PerformedCommand;
import dev.handofffence.internal.sql.ReleaseEpochSql;
import dev.handofffence.internal.state.CommandKind;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.store.StoreRow;
import dev.handofffence.internal.transaction.OwnTransaction;
import dev.handofffence.runtime.ScopeLockedException;
import dev.handofffence.work.DisabledScope;
import dev.handofffence.work.EpochRelease;
import dev.handofffence.work.ScopeCommand;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Commands about a whole scope, each in a transaction of its own. */
public final class ScopeCommands {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String DISABLED = "disabled";
  private static final String RELEASED = "released";
  private static final String RELEASED_SOME = "released_some";

  private final StoreIdentity store;
  private final DataSource source;

  public ScopeCommands(StoreIdentity store, DataSource source) {
    this.store = store;
    this.source = source;
  }

  /**
   * Disables a scope for good.
   *
   * @throws ScopeLockedException when it is still in use after the given patience
   */
  public OperationResult<DisabledScope> disable(ScopeCommand command, Duration patience) {
    CommandRecord record = CommandRecords.of(CommandKind.DISABLE_SCOPE, command);
    return Refusable.run(
        () ->
            OwnTransaction.run(
                source,
                "Disabling a scope",
                connection -> disable(connection, record, lock(connection, record, patience))));
  }

  /** Takes the next Works of a scope over into the active epoch. */
  public OperationResult<EpochRelease> releaseEpoch(ScopeCommand command, int limit) {
    CommandRecord record = CommandRecords.of(CommandKind.RELEASE_EPOCH, command);
    return Refusable.run(
        () ->
            OwnTransaction.run(
                source,
                "Releasing Work of another epoch",
                connection ->
                    release(
                        connection,
                        record,
                        ReleaseEpochSql.lock(connection, record, PATIENCE),
                        limit)));
  }

  private static DisableScopeSql.Locked lock(
      Connection connection, CommandRecord command, Duration patience) throws SQLException {
    try {
      return DisableScopeSql.lock(connection, command, patience);
    } catch (SQLException e) {
      if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        throw new ScopeLockedException(patience, BlockingBackends.namedIn(e), e);
      }
      throw e;
    }
  }

  private OperationResult<DisabledScope> disable(
      Connection connection, CommandRecord command, DisableScopeSql.Locked locked)
      throws SQLException {
    PerformedCommand performed = locked.performed();
    Optional<Problem> problem = problem(command, locked.store(), performed, locked.state());
    if (problem.isPresent()) {
      return OperationResult.failure(problem.get());
    } else if (performed != null) {
      return OperationResult.success(
          new DisabledScope(performed.revision(), performed.affected(), true));
    }
    long generation = locked.generation() + 1;
    long suspended = DisableScopeSql.disable(connection, command, DISABLED, generation);
    return OperationResult.success(new DisabledScope(generation, suspended, false));
  }

  private OperationResult<EpochRelease> release(
      Connection connection, CommandRecord command, ReleaseEpochSql.Locked locked, int limit)
      throws SQLException {
    PerformedCommand performed = locked.performed();
    Optional<Problem> problem = problem(command, locked.store(), performed, locked.state());
    if (problem.isPresent()) {
      return OperationResult.failure(problem.get());
    } else if (performed != null) {
      boolean more = performed.outcome().equals(RELEASED_SOME);
      return OperationResult.success(new EpochRelease(performed.affected(), more, true));
    }
    ReleaseEpochSql.Released released =
        ReleaseEpochSql.release(connection, command, store.epoch(), limit);
    String outcome = released.more() ? RELEASED_SOME : RELEASED;
    ReleaseEpochSql.record(connection, command, outcome, released.works());
    return OperationResult.success(new EpochRelease(released.works(), released.more(), false));
  }

  /** A command that was carried out before is answered, whatever the scope is by now. */
  private Optional<Problem> problem(
      CommandRecord command,
      @Nullable StoreRow row,
      @Nullable PerformedCommand performed,
      @Nullable ScopeState state) {
    Optional<Problem> unusable = StoreCheck.problem(row, store);
    if (unusable.isPresent()) {
      return unusable;
    } else if (performed != null) {
      return performed.is(command) ? Optional.empty() : Optional.of(Problem.COMMAND_CONFLICT);
    } else if (state == null) {
      return Optional.of(Problem.SCOPE_ABSENT);
    }
    return state == ScopeState.DISABLED ? Optional.of(Problem.SCOPE_DISABLED) : Optional.empty();
  }
}
