package dev.handofffence.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.SQLException;
import org.junit.jupiter.api.function.Executable;

/** What tests ask of failures. */
final class Failures {

  private Failures() {}

  /** Returns the SQLSTATE that the call fails with; a call that does not fail fails the test. */
  static String sqlState(Executable failing) {
    return assertThrows(SQLException.class, failing).getSQLState();
  }
}
