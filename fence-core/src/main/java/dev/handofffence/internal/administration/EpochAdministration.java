package dev.handofffence.internal.administration;

import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.sql.BlockingBackends;
import dev.handofffence.internal.sql.EpochTrip;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.store.StoreRow;
import dev.handofffence.runtime.EpochChange;
import dev.handofffence.runtime.EpochLockedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Compare-and-swap of the active epoch. */
public final class EpochAdministration {

  /** No such schema, table or function. */
  private static final Set<String> NO_SCHEMA = Set.of("3F000", "42P01", "42883");

  private static final String UNIQUE_VIOLATION = "23505";
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private EpochAdministration() {}

  public static OperationResult<StoreIdentity> initialise(DataSource owner, EpochChange change) {
    return activate(owner, EpochTrip.initialising(change.epoch()), change);
  }

  public static OperationResult<StoreIdentity> rotate(
      DataSource owner, UUID expected, EpochChange change) {
    if (expected.equals(change.epoch())) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "the new epoch is the expected one; make a new one");
    }
    return activate(owner, EpochTrip.rotating(expected, change.epoch()), change);
  }

  private static OperationResult<StoreIdentity> activate(
      DataSource owner, EpochTrip trip, EpochChange change) {
    return OwnerConnection.with(
        owner, "Changing the epoch", connection -> activate(connection, trip, change));
  }

  private static OperationResult<StoreIdentity> activate(
      Connection connection, EpochTrip trip, EpochChange change) throws SQLException {
    try {
      return judge(
          trip.send(connection, change.actor(), change.reason(), change.patience()), change);
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      if (NO_SCHEMA.contains(state)) {
        return OperationResult.failure(Problem.SCHEMA_MISSING);
      }
      if (state.equals(UNIQUE_VIOLATION)) {
        throw new DurableException(
            Problem.INVALID_REQUEST, "the epoch was active before; make a new one", e);
      }
      if (state.equals(LOCK_NOT_AVAILABLE)) {
        throw new EpochLockedException(change.patience(), BlockingBackends.namedIn(e), e);
      }
      throw e;
    }
  }

  /** What is active then decides, so that a repeated command is as good as the first. */
  private static OperationResult<StoreIdentity> judge(
      @Nullable StoreRow store, EpochChange change) {
    if (store == null) {
      return OperationResult.failure(Problem.SCHEMA_INCONSISTENT);
    }
    StoreIdentity wanted = StoreIdentity.of(store.storeId(), change.epoch());
    return StoreCheck.problem(store, wanted)
        .map(OperationResult::<StoreIdentity>failure)
        .orElseGet(() -> OperationResult.success(wanted));
  }
}
