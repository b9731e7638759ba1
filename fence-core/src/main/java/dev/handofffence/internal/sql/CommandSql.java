package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;

import dev.handofffence.internal.state.CommandFacts;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Locks the Work that a command is about, and reads what the command is judged by. */
public final class CommandSql {

  private static final Field<String> CONTRACT =
      WORK_SNAPSHOT
          .CONTRACT_NAME
          .concat(inline("/"))
          .concat(WORK_SNAPSHOT.CONTRACT_VERSION)
          .as("contract");

  private static final Script READ =
      Script.of(
          OperatorCommandSql.READ,
          Statement.ofRows(
              select(SCOPE.STATE).from(SCOPE).where(SCOPE.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))),
          Statement.ofRows(
              select(WORK.SUSPEND_REASON, CONTRACT)
                  .from(WORK)
                  .join(WORK_SNAPSHOT)
                  .on(Policies.snapshotIsTheWorks())
                  .where(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                  .and(WORK.WORK_ID.eq(FactsSql.WORK_ID_PARAM))));

  private CommandSql() {}

  /**
   * Locks and reads in an open transaction of the library's own.
   *
   * @param patience how long to wait for each lock; 55P03 when it was not enough
   */
  public static Locked lock(Connection connection, CommandRecord command, Duration patience)
      throws SQLException {
    return send(
        connection, new RoundTrip().add(FactsSql.BEGIN, FactsSql.patience(patience)), command);
  }

  /** Locks and reads in the caller's transaction, for as long as the caller's settings allow. */
  public static Locked lock(Connection connection, CommandRecord command) throws SQLException {
    return send(connection, new RoundTrip(), command);
  }

  /**
   * What was locked.
   *
   * @param store judge it first
   * @param performed what was done under the command's id before; null when nothing was
   * @param facts null when there is no such Work
   */
  public record Locked(
      @Nullable StoreRow store,
      @Nullable PerformedCommand performed,
      boolean scopeExists,
      @Nullable CommandFacts facts) {}

  private static Locked send(Connection connection, RoundTrip trip, CommandRecord command)
      throws SQLException {
    List<Rows> results =
        trip.add(
                FactsSql.LOCK_AND_READ,
                FactsSql.keys(command.scope(), Objects.requireNonNull(command.workId())))
            .add(READ, OperatorCommandSql.binds(command))
            .send(connection, null);
    FactsSql.Locked locked = FactsSql.locked(results.get(0), results.get(1));
    return new Locked(
        locked.store(),
        OperatorCommandSql.performed(results.get(2)),
        !results.get(3).isEmpty(),
        facts(locked, results.get(4)));
  }

  private static @Nullable CommandFacts facts(FactsSql.Locked locked, Rows rows) {
    if (locked.facts() == null) {
      return null;
    }
    Row row = rows.get(0);
    return new CommandFacts(locked.facts(), row.get(WORK.SUSPEND_REASON), row.get(CONTRACT));
  }
}
