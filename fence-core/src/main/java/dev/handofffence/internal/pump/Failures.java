package dev.handofffence.internal.pump;

import java.sql.SQLException;

/** Names failures in logs without their messages, which may carry anything. */
final class Failures {

  private Failures() {}

  static String describe(Throwable failure) {
    return failure instanceof SQLException sql
        ? "SQLSTATE " + sql.getSQLState()
        : failure.getClass().getName();
  }
}
