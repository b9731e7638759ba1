package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * The last round trip of a handoff, whichever way it ends. Nothing cancels it. Each text begins
 * with a savepoint statement, so that the driver's own autosave stays away.
 */
public final class HandoffSettlementSql {

  private static final Field<Boolean> SCHEMA_MISSING =
      SessionSettings.function("to_regclass", SQLDataType.VARCHAR, inline("durable.store"))
          .isNull()
          .as("schema_missing");

  private static final Statement RELEASE_CALLBACK =
      Statement.ofText("RELEASE SAVEPOINT durable_cb");
  private static final Statement RELEASE_OPERATION =
      Statement.ofText("RELEASE SAVEPOINT durable_op");

  private static final Script KEEP = Script.of(RELEASE_CALLBACK, RELEASE_OPERATION);

  private static final Script UNDO =
      Script.of(
          Statement.ofText("ROLLBACK TO SAVEPOINT durable_cb"),
          HandoffSessionSql.READ_MARKER,
          HandoffSessionSql.RESTORE_SCOPE,
          RELEASE_CALLBACK,
          RELEASE_OPERATION);

  private static final Script WITHDRAW =
      Script.of(
          Statement.ofText("ROLLBACK TO SAVEPOINT durable_op"),
          HandoffSessionSql.READ_MARKER,
          RELEASE_OPERATION);

  private static final Script WITHDRAW_AND_PROBE =
      Script.of(
          Statement.ofText("ROLLBACK TO SAVEPOINT durable_op"),
          RELEASE_OPERATION,
          Statement.ofRows(select(SCHEMA_MISSING)));

  private static final Field<Boolean> READABLE =
      field(mayRead("durable.dispatch").and(mayRead("durable.work"))).as("readable");

  private static final Script UNDO_AND_PROBE =
      Script.of(
          Statement.ofText("ROLLBACK TO SAVEPOINT durable_cb"),
          HandoffSessionSql.READ_MARKER,
          HandoffSessionSql.RESTORE_SCOPE,
          RELEASE_CALLBACK,
          RELEASE_OPERATION,
          Statement.ofRows(select(READABLE)));

  /** Fails, which is its purpose: the fence never sets that savepoint. */
  private static final Script ABORT =
      Script.of(Statement.ofText("ROLLBACK TO SAVEPOINT durable_aborted"));

  private HandoffSettlementSql() {}

  /**
   * What an undo found out.
   *
   * @param isSound false when the callback had put a savepoint of its own in the place of the
   *     fence's: what it wrote before that is still there
   * @param isReadable whether the role may read what the recheck reads
   */
  public record Undone(boolean isSound, boolean isReadable) {}

  private static Condition mayRead(String table) {
    return condition(
        SessionSettings.function(
            "has_table_privilege", SQLDataType.BOOLEAN, inline(table), inline("SELECT")));
  }

  /** Keeps what the callback wrote, and the locks. Fails with 3B001 when a savepoint is gone. */
  public static void keep(Connection connection) throws SQLException {
    new RoundTrip().add(KEEP, new Binds()).sendAgainAndAgain(connection);
  }

  /**
   * Removes what the callback wrote and every change of settings since; keeps the locks.
   *
   * @return false when the callback had put a savepoint of its own in the place of the fence's:
   *     what it wrote before that is still there
   */
  public static boolean undo(Connection connection, HandoffFacts entry) throws SQLException {
    Binds binds = HandoffSessionSql.bind(new Binds(), entry.session());
    return HandoffSessionSql.isBeforeCallback(send(connection, UNDO, binds).get(0), entry);
  }

  /** Undoes, and tells whether the role may then read what the recheck reads. */
  public static Undone undoAndFindReadable(Connection connection, HandoffFacts entry)
      throws SQLException {
    Binds binds = HandoffSessionSql.bind(new Binds(), entry.session());
    List<Rows> rows = send(connection, UNDO_AND_PROBE, binds);
    return new Undone(
        HandoffSessionSql.isBeforeCallback(rows.get(0), entry), rows.get(1).get(0).get(READABLE));
  }

  /** Removes everything since the entry, locks included, when no callback has run. */
  public static void withdraw(Connection connection) throws SQLException {
    send(connection, WITHDRAW, new Binds());
  }

  /**
   * Removes everything since the entry, locks included.
   *
   * @return false when the callback had put a savepoint of its own in the place of the fence's: the
   *     locks and what it wrote before that are still there
   */
  public static boolean withdraw(Connection connection, HandoffFacts entry) throws SQLException {
    return HandoffSessionSql.isBeforeCallback(
        send(connection, WITHDRAW, new Binds()).get(0), entry);
  }

  /** Aborts the transaction, so that nothing of it can be committed: always fails with 3B001. */
  public static void abort(Connection connection) throws SQLException {
    send(connection, ABORT, new Binds());
  }

  /** Withdraws, and tells whether the schema is missing. */
  public static boolean withdrawAndFindSchemaMissing(Connection connection) throws SQLException {
    List<Rows> rows = send(connection, WITHDRAW_AND_PROBE, new Binds());
    return rows.get(0).get(0).get(SCHEMA_MISSING);
  }

  private static List<Rows> send(Connection connection, Script script, Binds binds)
      throws SQLException {
    return new RoundTrip().add(script, binds).send(connection, null);
  }
}
