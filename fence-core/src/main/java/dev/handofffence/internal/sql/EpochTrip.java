package dev.handofffence.internal.sql;

import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One round trip, and one transaction, that activates an epoch and reads what is active then. */
public final class EpochTrip {

  private static final Script INITIALISE = script(EpochSql.INITIALISE);
  private static final Script ROTATE = script(EpochSql.ROTATE);

  private final Script script;
  private final Binds binds = new Binds();

  private EpochTrip(Script script, UUID next) {
    this.script = script;
    this.binds.set(EpochSql.NEXT, next);
  }

  /** Returns the trip that activates the first epoch. */
  public static EpochTrip initialising(UUID next) {
    return new EpochTrip(INITIALISE, next);
  }

  /** Returns the trip that replaces the expected epoch. */
  public static EpochTrip rotating(UUID expected, UUID next) {
    EpochTrip trip = new EpochTrip(ROTATE, next);
    trip.binds.set(EpochSql.EXPECTED, expected);
    return trip;
  }

  /**
   * Sends it on an autocommit connection.
   *
   * @return the store row afterwards; null when there is none
   */
  public @Nullable StoreRow send(
      Connection connection, String actor, String reason, Duration patience) throws SQLException {
    binds
        .set(EpochSql.ACTOR, actor)
        .set(EpochSql.REASON, reason)
        .set(EpochSql.PATIENCE, TimeUnit.MICROSECONDS.convert(patience));
    return StoreSql.store(new RoundTrip().add(script, binds).send(connection, null).get(0));
  }

  private static Script script(Statement activation) {
    return Script.of(
        StoreSql.COMMIT_DURABLY, EpochSql.LOCK_EPOCH_EXCLUSIVELY, activation, StoreSql.READ_STORE);
  }
}
