package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.WORKER;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.when;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.store.StoreRow;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The row by which a worker host says that it is alive, and hears that it should drain. */
public final class WorkerSql {

  private static final String WORKER_ID = "worker_id";
  private static final String INCARNATION = "incarnation";
  private static final String DISPLAY_NAME = "display_name";
  private static final String LIFE = "life_micros";

  private static final Param<UUID> WORKER_ID_PARAM = param(WORKER_ID, SQLDataType.UUID);
  private static final Param<UUID> INCARNATION_PARAM = param(INCARNATION, SQLDataType.UUID);
  private static final Param<String> DISPLAY_NAME_PARAM = param(DISPLAY_NAME, SQLDataType.VARCHAR);
  private static final Field<BigDecimal> LIFE_SECONDS =
      Times.microseconds(param(LIFE, SQLDataType.BIGINT));

  private static final Field<Instant> NEVER = inline((Instant) null, SQLDataType.INSTANT);
  private static final Condition IS_OURS =
      WORKER.WORKER_ID.eq(WORKER_ID_PARAM).and(WORKER.INCARNATION.eq(INCARNATION_PARAM));

  private static final Field<Boolean> DRAINS =
      field(WORKER.DRAIN_REQUESTED_AT.isNotNull()).as("drains");

  private static final Script ANNOUNCE =
      Script.of(register(), lock(), takeOver(), report(), read());
  private static final Script SET_IDLE = Script.of(lockSoon(), lock(), setIdle());
  private static final Script SET_BUSY = Script.of(lockSoon(), lock(), setBusy());
  private static final Script LISTEN = Script.of(WakeSql.LISTEN);
  private static final Script LEAVE = Script.of(lock(), stop());
  private static final Script UNLISTEN = Script.of(WakeSql.UNLISTEN);

  private WorkerSql() {}

  /**
   * One process with the id of a worker.
   *
   * @param incarnation tells it from others that use the same id
   * @param life how long after its last report it counts as alive
   */
  public record Self(UUID workerId, UUID incarnation, String displayName, Duration life) {}

  /**
   * What the store answered to a report.
   *
   * @param store judge it first: nothing was written in another store or epoch
   * @param registered whether the row is this process's; otherwise another one that is alive has it
   * @param drainRequested whether an operator asked this worker to take no more Work
   */
  public record Answer(@Nullable StoreRow store, boolean registered, boolean drainRequested) {}

  /**
   * Registers the worker or reports that it is alive, and begins or goes on to listen; on a
   * connection in autocommit mode.
   *
   * @param listens whether this session is to get notifications
   */
  public static Answer announce(
      Connection connection, StoreIdentity store, Self self, boolean listens) throws SQLException {
    RoundTrip trip =
        new RoundTrip()
            .add(StoreSql.PRELUDE_WITHOUT_FLUSH, new Binds())
            .add(ANNOUNCE, binds(store, self));
    if (listens) {
      trip.add(LISTEN, new Binds());
    }
    List<Rows> results = trip.send(connection, null);
    Rows row = results.get(1);
    return new Answer(
        StoreSql.store(results.get(0)), !row.isEmpty(), !row.isEmpty() && row.get(0).get(DRAINS));
  }

  /**
   * Says that the worker has nothing to do, so that acceptance notifies it; its reports keep that
   * up. Waits for nobody who has the row locked: that is 55P03.
   *
   * @return whether the row is this process's
   */
  public static boolean setIdle(Connection connection, StoreIdentity store, Self self)
      throws SQLException {
    return !change(connection, store, self, SET_IDLE).get(1).isEmpty();
  }

  /** Takes that back. */
  public static void setBusy(Connection connection, StoreIdentity store, Self self)
      throws SQLException {
    change(connection, store, self, SET_BUSY);
  }

  private static List<Rows> change(
      Connection connection, StoreIdentity store, Self self, Script change) throws SQLException {
    return new RoundTrip()
        .add(StoreSql.PRELUDE_WITHOUT_FLUSH, new Binds())
        .add(change, binds(store, self))
        .sendAgainAndAgain(connection);
  }

  /** Says that the worker has stopped, if the row is still its own. */
  public static void leave(Connection connection, StoreIdentity store, Self self, boolean listens)
      throws SQLException {
    RoundTrip trip =
        new RoundTrip()
            .add(StoreSql.PRELUDE_WITHOUT_FLUSH, new Binds())
            .add(LEAVE, binds(store, self));
    if (listens) {
      trip.add(UNLISTEN, new Binds());
    }
    trip.send(connection, null);
  }

  private static Binds binds(StoreIdentity store, Self self) {
    return new Binds()
        .set(ClaimKeys.STORE_ID, store.storeId())
        .set(ClaimKeys.EPOCH, store.epoch())
        .set(WORKER_ID, self.workerId())
        .set(INCARNATION, self.incarnation())
        .set(DISPLAY_NAME, self.displayName())
        .set(LIFE, self.life().toNanos() / 1_000);
  }

  private static Statement register() {
    return Statement.of(
        insertInto(WORKER)
            .columns(WORKER.WORKER_ID, WORKER.INCARNATION, WORKER.DISPLAY_NAME, WORKER.EPOCH)
            .select(
                select(
                        WORKER_ID_PARAM,
                        INCARNATION_PARAM,
                        DISPLAY_NAME_PARAM,
                        ClaimKeys.EPOCH_PARAM)
                    .where(ClaimKeys.storeIsOurs()))
            .onConflictDoNothing());
  }

  /** Two that start with one id wait here; the later one then finds the earlier one alive. */
  private static Statement lock() {
    return Statement.of(
        select(WORKER.WORKER_ID)
            .from(WORKER)
            .where(WORKER.WORKER_ID.eq(WORKER_ID_PARAM))
            .forNoKeyUpdate());
  }

  private static Statement takeOver() {
    return Statement.of(
        update(WORKER)
            .set(WORKER.INCARNATION, INCARNATION_PARAM)
            .set(WORKER.DISPLAY_NAME, DISPLAY_NAME_PARAM)
            .set(WORKER.EPOCH, ClaimKeys.EPOCH_PARAM)
            .set(WORKER.STARTED_AT, Times.CLOCK)
            .set(WORKER.IDLE_UNTIL, NEVER)
            .set(WORKER.DRAIN_REQUESTED_AT, NEVER)
            .set(WORKER.STOPPED_AT, NEVER)
            .where(WORKER.WORKER_ID.eq(WORKER_ID_PARAM))
            .and(WORKER.INCARNATION.ne(INCARNATION_PARAM))
            .and(
                WORKER
                    .STOPPED_AT
                    .isNotNull()
                    .or(Times.plusSeconds(WORKER.HEARTBEAT_AT, LIFE_SECONDS).le(Times.CLOCK)))
            .and(ClaimKeys.storeIsOurs()));
  }

  /** Who has said that it is idle goes on being so until it says otherwise. */
  private static Statement report() {
    return Statement.of(
        update(WORKER)
            .set(WORKER.HEARTBEAT_AT, Times.CLOCK)
            .set(
                WORKER.IDLE_UNTIL,
                when(WORKER.IDLE_UNTIL.isNotNull(), lifeFromNow()).otherwise(NEVER))
            .where(IS_OURS)
            .and(ClaimKeys.storeIsOurs()));
  }

  private static Field<Instant> lifeFromNow() {
    return Times.plusSeconds(Times.CLOCK, LIFE_SECONDS);
  }

  /** The thread that looks for Work does not wait for it. */
  private static Statement lockSoon() {
    return StoreSql.set("lock_timeout", inline("50ms"));
  }

  private static Statement setIdle() {
    return Statement.ofRows(
        update(WORKER)
            .set(WORKER.IDLE_UNTIL, lifeFromNow())
            .where(IS_OURS)
            .and(ClaimKeys.storeIsOurs())
            .returning(WORKER.WORKER_ID));
  }

  private static Statement setBusy() {
    return Statement.of(
        update(WORKER).set(WORKER.IDLE_UNTIL, NEVER).where(IS_OURS).and(ClaimKeys.storeIsOurs()));
  }

  private static Statement read() {
    return Statement.ofRows(select(DRAINS).from(WORKER).where(IS_OURS));
  }

  private static Statement stop() {
    return Statement.of(
        update(WORKER)
            .set(WORKER.STOPPED_AT, Times.CLOCK)
            .set(WORKER.IDLE_UNTIL, NEVER)
            .where(IS_OURS)
            .and(ClaimKeys.storeIsOurs()));
  }
}
