package dev.handofffence.internal.sql;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/**
 * Turns the driver's failures into exceptions with fixed texts. SQLSTATE decides, never the
 * server's message, which stays in the cause.
 */
public final class SqlFailure {

  private static final Map<String, String> ADVICE =
      Map.of(
          "40001", "Roll back and run the whole transaction again.",
          "40P01", "A deadlock: roll back and run the whole transaction again.",
          "42501",
              "The role lacks a privilege: run db/roles/grant-roles.sql for it after every"
                  + " migration.",
          "55P03", "A lock was not available within lock_timeout: try again.",
          "57014", "The statement was cancelled, by statement_timeout or by a request.",
          "25006", "The server or the transaction is read-only: connect to the primary.",
          "25P02", "The transaction has failed before: roll it back.",
          "42P01", "The durable schema is missing or incomplete: apply the Flyway migrations.",
          "3F000", "The durable schema is missing: apply the Flyway migrations.");

  private static final Map<String, String> UNAVAILABLE =
      Map.of(
          "28000", "the role does not exist, may not log in, or pg_hba.conf refuses it",
          "28P01", "the password or the role is wrong",
          "3D000", "the database does not exist",
          "42501", "the role has no CONNECT privilege on the database",
          "53300", "the server has no connection left",
          "57P01", "the server ended the session",
          "57P02", "the server crashed",
          "57P03", "the server is starting or stopping");

  private SqlFailure() {}

  /**
   * Returns the exception for a statement that failed: DUR103 when the connection is lost,
   * otherwise one that carries the driver's.
   *
   * @param operation what failed, such as "Accepting Work"
   */
  public static RuntimeException ofStatement(String operation, SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    if (state.startsWith("08") || state.startsWith("57P")) {
      return unavailable(failure);
    }
    return ofAny(operation, failure);
  }

  /** As {@link #ofStatement}, but a lost connection too keeps its SQLSTATE in the exception. */
  public static DataAccessException ofAny(String operation, SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    String advice = ADVICE.getOrDefault(state, "The cause has the server's message.");
    return new DataAccessException(
        operation + " failed with SQLSTATE " + state + ". " + advice, failure);
  }

  /** Returns the exception for a step of the owner's that another role tried: 42501. */
  public static DataAccessException ofAnotherThanTheOwner(String operation, SQLException failure) {
    return new DataAccessException(
        operation
            + " failed with SQLSTATE 42501. The connection does not act as the role that owns the"
            + " schema: log in as a member of it and say so in the JDBC URL,"
            + " options=-c%20role=<owner>.",
        failure);
  }

  /**
   * Returns the exception for a script of ours that refused, with the script's own text and hint.
   * They name what the caller named, and objects of our schema; any other error's text stays in the
   * cause.
   */
  public static RuntimeException ofScript(String operation, SQLException failure) {
    return refusal(failure)
        .<RuntimeException>map(
            text ->
                new DataAccessException(
                    operation
                        + " failed with SQLSTATE "
                        + failure.getSQLState()
                        + ". "
                        + text
                        + ".",
                    failure))
        .orElseGet(() -> ofStatement(operation, failure));
  }

  /** An error is the script's when RAISE reported it in the anonymous block that was sent. */
  private static Optional<String> refusal(SQLException failure) {
    if (!(failure instanceof PSQLException server)) {
      return Optional.empty();
    }
    return Optional.ofNullable(server.getServerErrorMessage())
        .filter(error -> "exec_stmt_raise".equals(error.getRoutine()))
        .filter(error -> isAnonymousBlock(error.getWhere()))
        .map(
            error ->
                error.getHint() == null
                    ? error.getMessage()
                    : error.getMessage() + ". " + error.getHint());
  }

  /** Not a trigger of the application's, which would be further down. */
  private static boolean isAnonymousBlock(@Nullable String where) {
    return where != null && where.contains("inline_code_block") && !where.contains("\n");
  }

  /** Returns the exception for a data source that gave no connection. */
  public static DurableException ofConnecting(Exception failure) {
    return unavailable(failure);
  }

  private static DurableException unavailable(Exception failure) {
    return new DurableException(Problem.STORE_UNAVAILABLE, observed(failure), failure);
  }

  /** Returns why there is no connection, by the SQLSTATE: a fixed text. */
  public static String observed(Exception failure) {
    String state = sqlState(failure);
    if (state == null) {
      return "the data source gave no connection; is the JDBC URL right";
    }
    String meaning = UNAVAILABLE.getOrDefault(state, "the connection failed or was lost");
    return "SQLSTATE " + state + ", " + meaning;
  }

  /** Pools wrap the driver's exception in their own. */
  private static @Nullable String sqlState(@Nullable Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
    }
    return null;
  }
}
