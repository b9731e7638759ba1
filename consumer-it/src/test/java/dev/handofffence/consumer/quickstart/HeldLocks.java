package dev.handofffence.consumer.quickstart;

import dev.handofffence.ScopeId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Finds the locks of an open handoff from a second session, without waiting for any: a row lock of
 * PostgreSQL is in no view, but which modes another session cannot get says which one is held.
 */
final class HeldLocks {

  /**
   * The modes that a second session tries, weakest first, and what a first failure there proves.
   */
  private enum Mode {
    KEY_SHARE("FOR KEY SHARE", "FOR UPDATE"),
    SHARE("FOR SHARE", "FOR NO KEY UPDATE"),
    NO_KEY_UPDATE("FOR NO KEY UPDATE", "FOR SHARE"),
    UPDATE("FOR UPDATE", "FOR KEY SHARE");

    private final String tried;
    private final String heldWhenRefused;

    Mode(String tried, String heldWhenRefused) {
      this.tried = tried;
      this.heldWhenRefused = heldWhenRefused;
    }
  }

  private final DataSource other;
  private final ScopeId scope;

  HeldLocks(DataSource other, ScopeId scope) {
    this.other = other;
    this.scope = scope;
  }

  /** Returns the locks, in the order in which a handoff takes them. */
  List<HeldLock> find() {
    try (Connection connection = other.getConnection()) {
      connection.setAutoCommit(false);
      List<HeldLock> held = new ArrayList<>();
      advisory(connection, "epoch", "durable.epoch_lock_key()").ifPresent(held::add);
      advisory(connection, "scope", "durable.scope_lock_key('" + scope.value() + "')")
          .ifPresent(held::add);
      row(connection, "work", "durable.work").ifPresent(held::add);
      row(connection, "dispatch", "durable.dispatch").ifPresent(held::add);
      row(connection, "permit", "durable.permit").ifPresent(held::add);
      row(connection, "authority", "consumer.authority").ifPresent(held::add);
      connection.rollback();
      return List.copyOf(held);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot look at the locks", e);
    }
  }

  private static Optional<HeldLock> advisory(Connection connection, String on, String key)
      throws SQLException {
    boolean shared =
        isTrue(
            connection,
            """
            SELECT EXISTS (SELECT FROM pg_locks l, (SELECT %s AS key) AS k
                           WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.mode = 'ShareLock'
                             AND l.granted AND l.pid <> pg_backend_pid()
                             AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
                             AND l.classid::bigint = ((k.key >> 32) & 4294967295)
                             AND l.objid::bigint = (k.key & 4294967295))
            """
                .formatted(key));
    return shared ? Optional.of(new HeldLock(on, "advisory, shared")) : Optional.empty();
  }

  private Optional<HeldLock> row(Connection connection, String on, String table)
      throws SQLException {
    for (Mode mode : Mode.values()) {
      String skipped =
          "SELECT (SELECT count(*) FROM %1$s WHERE scope_id = '%2$s') > (SELECT count(*) FROM"
              + " (SELECT FROM %1$s WHERE scope_id = '%2$s' %3$s SKIP LOCKED) AS free)";
      if (isTrue(connection, skipped.formatted(table, scope.value(), mode.tried))) {
        return Optional.of(new HeldLock(on, mode.heldWhenRefused));
      }
    }
    return Optional.empty();
  }

  private static boolean isTrue(Connection connection, String question) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery(question)) {
      row.next();
      return row.getBoolean(1);
    }
  }
}
