package dev.handofffence.internal.transaction;

import dev.handofffence.Problem;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a failure of the store means, decided by its SQLSTATE alone. */
public enum FailureKind {
  /** The server cannot be reached, is going away, or has no room: worth another try later. */
  UNAVAILABLE(Problem.STORE_UNAVAILABLE),
  /** There is no schema, or not the one that the statements were written for. */
  SCHEMA_MISSING(Problem.SCHEMA_MISSING),
  /** A grant is missing: the role scripts were not run after the last migration. */
  NOT_GRANTED(Problem.SCHEMA_INCONSISTENT),
  /** A lock was not free, or the transaction was the victim of a deadlock: nothing happened. */
  BUSY(null),
  /** Anything else: a mistake of the library's or a change of the schema. */
  OTHER(null);

  /** Causes can go in circles. */
  private static final int DEEPEST_CAUSE = 20;

  private static final Set<String> UNAVAILABLE_STATES =
      Set.of(
          "25006", "53300", "53400", "57P01", "57P02", "57P03", "57P05", "3D000", "28000", "28P01");
  private static final Set<String> BUSY_STATES = Set.of("55P03", "40P01", "40001", "57014");

  private final @Nullable Problem problem;

  FailureKind(@Nullable Problem problem) {
    this.problem = problem;
  }

  /** Classifies by the first SQLException of the causes. Never throws. */
  public static FailureKind of(Throwable failure) {
    try {
      return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
          .limit(DEEPEST_CAUSE)
          .filter(SQLException.class::isInstance)
          .findFirst()
          .map(sql -> ofState((SQLException) sql))
          .orElse(OTHER);
    } catch (RuntimeException e) { // of a getCause() that is not the JDK's
      return OTHER;
    }
  }

  /** Returns the problem that stops a pass; empty when it concerns one step only. */
  public Optional<Problem> problem() {
    return Optional.ofNullable(problem);
  }

  /** Whether the other rows of a statement may do without the one that failed. */
  public boolean mayConcernOneRow() {
    return this == NOT_GRANTED || this == OTHER;
  }

  boolean lostConnection() {
    return this == UNAVAILABLE || this == OTHER;
  }

  private static FailureKind ofState(SQLException failure) {
    String state = failure.getSQLState();
    if (state == null) {
      // Connection pools give their own timeouts no SQLSTATE.
      return failure instanceof SQLTransientException ? UNAVAILABLE : OTHER;
    } else if (state.startsWith("08") || UNAVAILABLE_STATES.contains(state)) {
      return UNAVAILABLE;
    } else if (state.equals("42P01") || state.equals("3F000") || state.equals("42883")) {
      return SCHEMA_MISSING;
    } else if (state.equals("42501")) {
      return NOT_GRANTED;
    }
    return BUSY_STATES.contains(state) ? BUSY : OTHER;
  }
}
