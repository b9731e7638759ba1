package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.WORKER;
import static dev.handofffence.internal.sql.Existence.exists;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.postgresql.PGConnection;

/**
 * Notifications that there may be Work: without a payload, and a hint only.
 *
 * <p>A notification makes its commit wait for all others that notify, so none is sent unless some
 * host says that it has nothing to do.
 */
public final class WakeSql {

  private static final String CHANNEL = "durable_work";

  static final Statement LISTEN = Statement.ofText("LISTEN " + CHANNEL);
  static final Statement UNLISTEN = Statement.ofText("UNLISTEN " + CHANNEL);

  /** Stable within the statement, so that an index can be asked. */
  private static final Field<Instant> NOW =
      DSL.function("statement_timestamp", SQLDataType.INSTANT);

  static final Statement NOTIFY_IF_IDLE =
      Statement.of(
          select(DSL.function("pg_notify", SQLDataType.OTHER, inline(CHANNEL), inline("")))
              .where(exists(selectOne().from(WORKER).where(WORKER.IDLE_UNTIL.gt(NOW)))));

  private WakeSql() {}

  /**
   * Waits for a notification, on a connection that listens and that nobody else uses.
   *
   * @return how many have come
   */
  public static int await(Connection listening, Duration most) throws SQLException {
    var notifications =
        listening
            .unwrap(PGConnection.class)
            .getNotifications(Math.toIntExact(Math.max(1, most.toMillis())));
    return notifications == null ? 0 : notifications.length;
  }
}
