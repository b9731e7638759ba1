package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.WORKER;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.when;

import dev.handofffence.internal.store.StoreRow;
import dev.handofffence.runtime.WorkerView;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The workers of a store, as operators see them, and the request that one takes no more Work. */
public final class WorkerListSql {

  private static final Param<Integer> LIMIT = param("limit", SQLDataType.INTEGER);
  private static final Param<UUID> WORKER_ID = param("worker_id", SQLDataType.UUID);
  private static final Param<Boolean> DRAIN = param("drain", SQLDataType.BOOLEAN);

  private static final Field<Duration> SINCE_HEARTBEAT =
      Times.between(WORKER.HEARTBEAT_AT, Times.CLOCK).as("since_heartbeat");
  private static final Field<Instant> NEVER = inline((Instant) null, SQLDataType.INSTANT);

  private static final Script LIST =
      Script.of(
          StoreSql.READ_STORE,
          Statement.ofRows(
              select(
                      WORKER.WORKER_ID,
                      WORKER.DISPLAY_NAME,
                      WORKER.EPOCH,
                      WORKER.STARTED_AT,
                      SINCE_HEARTBEAT,
                      WORKER.DRAIN_REQUESTED_AT,
                      WORKER.STOPPED_AT)
                  .from(WORKER)
                  .orderBy(WORKER.HEARTBEAT_AT.desc())
                  .limit(LIMIT)));

  private static final Script REQUEST =
      Script.of(
          StoreSql.LOCK_EPOCH_SHARED,
          StoreSql.READ_STORE,
          Statement.ofRows(
              update(WORKER)
                  .set(
                      WORKER.DRAIN_REQUESTED_AT,
                      when(DRAIN, coalesce(WORKER.DRAIN_REQUESTED_AT, Times.CLOCK))
                          .otherwise(NEVER))
                  .where(WORKER.WORKER_ID.eq(WORKER_ID))
                  .and(WORKER.STOPPED_AT.isNull())
                  .returning(WORKER.WORKER_ID)));

  private WorkerListSql() {}

  /** Reads those that reported last, on a connection in autocommit mode. */
  public static Listed list(Connection connection, int limit) throws SQLException {
    List<Rows> results =
        new RoundTrip().add(LIST, new Binds().set("limit", limit)).send(connection, null);
    return new Listed(StoreSql.store(results.get(0)), results.get(1).map(WorkerListSql::view));
  }

  /** Makes the request or takes it back, on a connection in autocommit mode. */
  public static Requested request(Connection connection, UUID workerId, boolean drain)
      throws SQLException {
    Binds binds = new Binds().set("worker_id", workerId).set("drain", drain);
    List<Rows> results = new RoundTrip().add(REQUEST, binds).send(connection, null);
    return new Requested(StoreSql.store(results.get(0)), !results.get(1).isEmpty());
  }

  /**
   * What was read.
   *
   * @param store judge it first
   */
  public record Listed(@Nullable StoreRow store, List<WorkerView> workers) {}

  /**
   * What was done; in another store or epoch too, where a request does no harm.
   *
   * @param store judge it first
   * @param found whether there is such a worker, which has not stopped
   */
  public record Requested(@Nullable StoreRow store, boolean found) {}

  private static WorkerView view(Row row) {
    return new WorkerView(
        row.get(WORKER.WORKER_ID),
        row.get(WORKER.DISPLAY_NAME),
        row.get(WORKER.EPOCH),
        row.get(WORKER.STARTED_AT),
        row.get(SINCE_HEARTBEAT),
        Optional.ofNullable(row.get(WORKER.DRAIN_REQUESTED_AT)),
        Optional.ofNullable(row.get(WORKER.STOPPED_AT)));
  }
}
