package dev.handofffence.internal.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/**
 * Sends scripts, with their values, as one multi-statement prepared statement: the driver writes
 * Parse, Bind and Execute for each statement and a single Sync, so it is one network round trip.
 * Statements run in order, each with its own snapshot; the first failure skips the rest. On a
 * connection in autocommit mode the whole is one transaction, which commits at the end.
 */
final class RoundTrip {

  /**
   * The driver reckons with 250 bytes of answer for each statement and puts a Sync of its own after
   * 64,000: on an autocommit connection that would end the transaction in the midst of the trip,
   * and with it every lock and setting.
   */
  static final int MAX_STATEMENTS = 250;

  /**
   * Trips over many scopes differ in length from one to the next, and the server would keep a plan
   * for each statement of each length and each connection: beyond this they are planned anew, which
   * costs many times what they do.
   */
  static final int MOST_SCRIPTS_PREPARED = 9;

  /** The driver's own, in executions. */
  private static final int USUAL_THRESHOLD = -1;

  private static final int NEVER = 0;

  /** Most trips are of one. */
  private final List<Part> parts = new ArrayList<>(1);

  private record Part(Script script, Binds binds) {}

  RoundTrip add(Script script, Binds values) {
    parts.add(new Part(script, values));
    return this;
  }

  /**
   * Sends everything and returns the wanted rows, one result per statement that has columns, in
   * order.
   *
   * @param guard lets another thread cancel the statement; null when nobody may
   * @throws CancellationException when the guard was cancelled before; nothing was sent
   */
  List<Rows> send(Connection connection, @Nullable StatementGuard guard) throws SQLException {
    return send(connection, guard, parts.size() > MOST_SCRIPTS_PREPARED ? NEVER : USUAL_THRESHOLD);
  }

  /**
   * The same for a trip that is sent for every Work: the server keeps its plans from the first time
   * on. From the driver's fifth, a pool of many connections would parse and plan for long.
   */
  List<Rows> sendAgainAndAgain(Connection connection) throws SQLException {
    return sendAgainAndAgain(connection, null);
  }

  /** The same with a guard, as in {@link #send}. */
  List<Rows> sendAgainAndAgain(Connection connection, @Nullable StatementGuard guard)
      throws SQLException {
    return send(connection, guard, 1);
  }

  private List<Rows> send(Connection connection, @Nullable StatementGuard guard, int threshold)
      throws SQLException {
    requireOneTrip();
    try (PreparedStatement statement = connection.prepareStatement(text())) {
      statement.setFetchSize(0); // a default fetch size in the URL would cost a trip per query
      if (threshold != USUAL_THRESHOLD && statement.isWrapperFor(PGStatement.class)) {
        prepareFrom(threshold, statement.unwrap(PGStatement.class));
      }
      bindAll(statement);
      execute(statement, guard);
      return decodeAll(statement);
    }
  }

  /**
   * Zero on the connection stays: it is for a pooler that cannot follow a prepared statement to
   * another session of the server.
   */
  private static void prepareFrom(int execution, PGStatement statement) throws SQLException {
    if (statement.getPrepareThreshold() != NEVER) {
      statement.setPrepareThreshold(execution);
    }
  }

  private void requireOneTrip() {
    int statements = 0;
    for (int i = 0; i < parts.size(); i++) {
      statements += parts.get(i).script.statements().size();
    }
    if (statements > MAX_STATEMENTS) {
      throw new IllegalStateException(
          statements
              + " statements are too many for one round trip; "
              + MAX_STATEMENTS
              + " are not");
    }
  }

  private String text() {
    if (parts.size() == 1) {
      return parts.get(0).script.text();
    }
    return String.join(";\n", parts.stream().map(part -> part.script.text()).toList());
  }

  private void bindAll(PreparedStatement statement) throws SQLException {
    int index = 1;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      for (String parameter : part.script.parameters()) {
        part.binds.bind(statement, index++, parameter);
      }
    }
  }

  private static void execute(PreparedStatement statement, @Nullable StatementGuard guard)
      throws SQLException {
    if (guard == null) {
      statement.execute();
      return;
    }
    if (!guard.enter(statement.getConnection().unwrap(PGConnection.class))) {
      throw new CancellationException("Cancelled before the statement was sent");
    }
    try {
      statement.execute();
    } finally {
      guard.exit();
    }
  }

  private List<Rows> decodeAll(PreparedStatement statement) throws SQLException {
    List<Rows> results = new ArrayList<>(4);
    for (Part part : parts) {
      for (Statement sent : part.script.statements()) {
        RowDecoder wanted = sent.rows();
        if (wanted != null) {
          results.add(decode(statement.getResultSet(), wanted));
        }
        statement.getMoreResults();
      }
    }
    if (statement.getResultSet() != null || statement.getUpdateCount() != -1) {
      throw new IllegalStateException("More results than statements");
    }
    return results;
  }

  private static Rows decode(@Nullable ResultSet rows, RowDecoder wanted) throws SQLException {
    if (rows == null) {
      throw new IllegalStateException("A query came back without rows");
    }
    return wanted.decode(rows);
  }
}
