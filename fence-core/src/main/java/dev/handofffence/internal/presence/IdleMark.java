package dev.handofffence.internal.presence;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.log.OutageLog;
import dev.handofffence.internal.sql.WorkerSql;
import dev.handofffence.internal.transaction.FailureKind;
import dev.handofffence.internal.transaction.SqlFunction;
import dev.handofffence.internal.transaction.StoreConnection;
import java.sql.SQLException;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's word to acceptance that it has nothing to do, and should be notified. Only the thread
 * that looks for Work writes it, so that it says what was seen last; a heartbeat keeps it up. It is
 * good for one listening session: who hears nothing must not rely on being called. Belongs to that
 * thread.
 */
public final class IdleMark {

  /** Nobody listens. */
  static final int NO_SESSION = 0;

  private static final Logger LOG = LoggerFactory.getLogger(IdleMark.class);

  private final StoreIdentity store;
  private final WorkerSql.Self self;
  private final IntSupplier listening;
  private final Crowd crowd;
  private final OutageLog outage = new OutageLog(LOG, "Telling acceptance whether to notify");
  private int setFor = NO_SESSION;
  private boolean mayBeInStore;

  IdleMark(StoreIdentity store, WorkerSql.Self self, IntSupplier listening, Crowd crowd) {
    this.store = store;
    this.self = self;
    this.listening = listening;
    this.crowd = crowd;
  }

  /**
   * Sets it, unless it is set, nobody listens, or notifications would be too many.
   *
   * @return whether it has been set now: what was accepted before was not notified, so the caller
   *     looks once more
   */
  public boolean set(StoreConnection connection) {
    int session = listening.getAsInt();
    if (session == setFor || session == NO_SESSION || crowd.nanosOfRest() > 0) {
      return false;
    }
    mayBeInStore = true;
    boolean isSet = send(connection, c -> WorkerSql.setIdle(c, store, self));
    setFor = isSet ? session : NO_SESSION;
    return isSet;
  }

  /** Takes note of whether a call was worth a look. */
  public void wasCalled(boolean inVain) {
    crowd.answered(inVain);
  }

  /** Takes it back while notifications are of no use. */
  public void takeBackWhenCrowded(StoreConnection connection) {
    if (crowd.nanosOfRest() > 0) {
      takeBack(connection);
    }
  }

  /** Takes it back; where the store does not answer, the next call tries again. */
  public void takeBack(StoreConnection connection) {
    if (mayBeInStore) {
      setFor = NO_SESSION;
      mayBeInStore =
          !send(
              connection,
              c -> {
                WorkerSql.setBusy(c, store, self);
                return true;
              });
    }
  }

  /** Returns for how long it cannot be set because notifications are of no use. */
  public long nanosOfRest() {
    return crowd.nanosOfRest();
  }

  private boolean send(StoreConnection connection, SqlFunction<Boolean> statements) {
    try {
      boolean done = connection.inOneTrip(statements);
      outage.succeeded();
      return done;
    } catch (SQLException e) { // polling goes on, and says so when it fails as well
      if (FailureKind.of(e) != FailureKind.BUSY) {
        outage.failed("SQLSTATE " + e.getSQLState());
      }
      return false;
    } catch (RuntimeException | Error e) { // of a data source
      outage.failed(e.getClass().getName());
      return false;
    }
  }
}
