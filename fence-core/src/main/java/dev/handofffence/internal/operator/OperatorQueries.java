package dev.handofffence.internal.operator;

import dev.handofffence.DurableException;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.internal.sql.ScopeListSql;
import dev.handofffence.internal.sql.WorkDetailsSql;
import dev.handofffence.internal.sql.WorkQuerySql;
import dev.handofffence.internal.sql.WorkerListSql;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.store.StoreRow;
import dev.handofffence.internal.transaction.AutocommitConnection;
import dev.handofffence.runtime.WorkerView;
import dev.handofffence.work.Page;
import dev.handofffence.work.ScopeView;
import dev.handofffence.work.WorkDetails;
import dev.handofffence.work.WorkHistoryEntry;
import dev.handofffence.work.WorkQuery;
import dev.handofffence.work.WorkView;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What operators read, and ask of workers; one round trip each. */
public final class OperatorQueries {

  private static final String OPERATION = "Reading Work";

  private final StoreIdentity store;
  private final DataSource operator;

  public OperatorQueries(StoreIdentity store, DataSource operator) {
    this.store = store;
    this.operator = operator;
  }

  public Page<ScopeView, ScopeId> scopes(Optional<ScopeId> after, int limit) {
    ScopeListSql.Listed listed =
        AutocommitConnection.with(operator, OPERATION, c -> ScopeListSql.list(c, after, limit));
    require(listed.store());
    return listed.page();
  }

  public Page<WorkView, WorkId> works(WorkQuery query) {
    WorkQuerySql.Listed listed =
        AutocommitConnection.with(operator, OPERATION, c -> WorkQuerySql.list(c, query));
    require(listed.store());
    return listed.page();
  }

  public Optional<WorkDetails> find(ScopeId scope, WorkId workId) {
    WorkDetailsSql.Found found =
        AutocommitConnection.with(operator, OPERATION, c -> WorkDetailsSql.find(c, scope, workId));
    require(found.store());
    return found.work();
  }

  public Page<WorkHistoryEntry, Long> history(ScopeId scope, WorkId workId, long after, int limit) {
    WorkDetailsSql.History history =
        AutocommitConnection.with(
            operator, OPERATION, c -> WorkDetailsSql.history(c, scope, workId, after, limit));
    require(history.store());
    return history.page();
  }

  public List<WorkerView> workers(int limit) {
    WorkerListSql.Listed listed =
        AutocommitConnection.with(operator, OPERATION, c -> WorkerListSql.list(c, limit));
    require(listed.store());
    return listed.workers();
  }

  /** Asks a worker to take no more Work, or takes the request back; false when there is none. */
  public boolean drain(UUID workerId, boolean drain) {
    WorkerListSql.Requested requested =
        AutocommitConnection.with(
            operator, "Draining a worker", c -> WorkerListSql.request(c, workerId, drain));
    require(requested.store());
    return requested.found();
  }

  private void require(@Nullable StoreRow row) {
    StoreCheck.problem(row, store)
        .ifPresent(
            problem -> {
              throw new DurableException(problem);
            });
  }
}
