package dev.handofffence.internal.pump;

import dev.handofffence.DurableException;
import java.sql.SQLException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names failures in logs without their messages, which may carry anything. */
final class Failures {

  /** Causes can go in circles. */
  private static final int DEEPEST_CAUSE = 20;

  /** An application's exception can carry any text where the driver's has its state. */
  private static final Pattern SQL_STATE = Pattern.compile("[0-9A-Z]{5}");

  private Failures() {}

  /**
   * Returns the class, and the first code of ours and SQLSTATE among the failure's causes. Never
   * throws: whoever describes a failure has something more important to do next.
   */
  static String describe(Throwable failure) {
    String type = failure.getClass().getName();
    try {
      return type + codes(failure);
    } catch (Throwable e) { // an exception's methods are code of the application's
      return type;
    }
  }

  private static String codes(Throwable failure) {
    return first(causes(failure).filter(DurableException.class::isInstance).map(Failures::code))
        + first(causes(failure).filter(SQLException.class::isInstance).map(Failures::state));
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .limit(DEEPEST_CAUSE);
  }

  private static String code(Throwable failure) {
    return ", " + ((DurableException) failure).problem().code();
  }

  private static String state(Throwable failure) {
    String state = String.valueOf(((SQLException) failure).getSQLState());
    return SQL_STATE.matcher(state).matches() ? ", SQLSTATE " + state : "";
  }

  private static String first(Stream<String> texts) {
    return texts.findFirst().orElse("");
  }
}
