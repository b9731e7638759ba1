package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.REMOVE_FINISHED_WORK;
import static dev.handofffence.generated.Tables.REMOVE_IDENTITIES;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.nullif;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.handofffence.generated.Routines;
import dev.handofffence.generated.tables.RemoveFinishedWork;
import dev.handofffence.generated.tables.RemoveIdentities;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The functions of the retention role: one short transaction each. */
public final class RetentionSql {

  private static final String KEEP = "keep_seconds";
  private static final String STATES = "states";
  private static final String SCOPE = "after_scope";
  private static final String KEY = "after_key";
  private static final String MAX_ROWS = "max_rows";

  private static final Param<Long> KEEP_PARAM = param(KEEP, SQLDataType.BIGINT);
  private static final Param<Integer> MAX_ROWS_PARAM = param(MAX_ROWS, SQLDataType.INTEGER);

  /** Binds cannot be null: '' and the nil uuid stand for "from the beginning". */
  private static final UUID NO_WORK = new UUID(0, 0);

  private static final Field<String> SCOPE_OR_NULL = orNull(param(SCOPE, SQLDataType.CLOB));

  private static final RemoveFinishedWork WORK =
      REMOVE_FINISHED_WORK(
          KEEP_PARAM,
          param(STATES, SQLDataType.CLOB.array()),
          SCOPE_OR_NULL,
          nullif(param(KEY, SQLDataType.UUID), inline(NO_WORK)),
          MAX_ROWS_PARAM);

  private static final RemoveIdentities IDENTITIES =
      REMOVE_IDENTITIES(
          KEEP_PARAM, SCOPE_OR_NULL, orNull(param(KEY, SQLDataType.CLOB)), MAX_ROWS_PARAM);

  private static final Script REMOVE_WORK =
      Script.of(
          Statement.ofRows(
              select(WORK.EXAMINED, WORK.REMOVED, WORK.NEXT_SCOPE, WORK.NEXT_WORK).from(WORK)));

  private static final Script FORGET =
      Script.of(
          Statement.ofRows(
              select(
                      IDENTITIES.EXAMINED,
                      IDENTITIES.REMOVED,
                      IDENTITIES.REMOVED_COMMANDS,
                      IDENTITIES.NEXT_SCOPE,
                      IDENTITIES.NEXT_COMMAND)
                  .from(IDENTITIES)));

  private static final Field<Integer> REMOVED_WORKERS =
      Routines.removeWorkers(KEEP_PARAM, MAX_ROWS_PARAM).as("removed");

  private static final Script REMOVE_WORKERS = Script.of(Statement.ofRows(select(REMOVED_WORKERS)));

  private RetentionSql() {}

  /** Where a call goes on. */
  public record Position(Optional<String> scope, Optional<String> key) {}

  /**
   * What a call did.
   *
   * @param next empty at the end
   */
  public record Batch(int examined, int removed, int removedCommands, Optional<Position> next) {}

  /** Removes finished Work, on a connection in autocommit mode. */
  public static Batch removeWork(
      Connection connection, Duration keep, String[] states, Position after, int maxRows)
      throws SQLException {
    Binds binds =
        binds(keep, after, maxRows)
            .set(STATES, states)
            .set(KEY, after.key().map(UUID::fromString).orElse(NO_WORK));
    Row row = ask(connection, REMOVE_WORK, binds);
    return new Batch(
        row.get(WORK.EXAMINED),
        row.get(WORK.REMOVED),
        0,
        position(
            row.get(WORK.NEXT_SCOPE),
            Optional.ofNullable(row.get(WORK.NEXT_WORK)).map(UUID::toString)));
  }

  /** Removes the memory of commands, on a connection in autocommit mode. */
  public static Batch forget(Connection connection, Duration keep, Position after, int maxRows)
      throws SQLException {
    Binds binds = binds(keep, after, maxRows).set(KEY, after.key().orElse(""));
    Row row = ask(connection, FORGET, binds);
    return new Batch(
        row.get(IDENTITIES.EXAMINED),
        row.get(IDENTITIES.REMOVED),
        row.get(IDENTITIES.REMOVED_COMMANDS),
        position(
            row.get(IDENTITIES.NEXT_SCOPE), Optional.ofNullable(row.get(IDENTITIES.NEXT_COMMAND))));
  }

  /**
   * Removes workers that were not heard of for so long, on a connection in autocommit mode.
   *
   * @return how many
   */
  public static int removeWorkers(Connection connection, Duration keep, int maxRows)
      throws SQLException {
    Binds binds = new Binds().set(KEEP, keep.toSeconds()).set(MAX_ROWS, maxRows);
    return ask(connection, REMOVE_WORKERS, binds).get(REMOVED_WORKERS);
  }

  private static Row ask(Connection connection, Script script, Binds binds) throws SQLException {
    return new RoundTrip().add(script, binds).send(connection, null).get(0).get(0);
  }

  private static Binds binds(Duration keep, Position after, int maxRows) {
    return new Binds()
        .set(KEEP, keep.toSeconds())
        .set(SCOPE, after.scope().orElse(""))
        .set(MAX_ROWS, maxRows);
  }

  private static Optional<Position> position(@Nullable String scope, Optional<String> key) {
    return Optional.ofNullable(scope).map(found -> new Position(Optional.of(found), key));
  }

  private static Field<String> orNull(Param<String> value) {
    return nullif(value, inline(""));
  }
}
