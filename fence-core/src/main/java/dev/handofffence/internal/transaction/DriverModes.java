package dev.handofffence.internal.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PreferQueryMode;

/** Settings of the driver with which several statements cannot be one round trip. */
final class DriverModes {

  /** The modes in which a script is prepared on the server and sent with one Sync. */
  private static final Set<PreferQueryMode> SUPPORTED =
      Set.of(PreferQueryMode.EXTENDED, PreferQueryMode.EXTENDED_FOR_PREPARED);

  private DriverModes() {}

  /** Names what stands in the way, without asking the server. */
  static Optional<String> unsupported(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      return Optional.empty();
    }
    PGConnection driver = connection.unwrap(PGConnection.class);
    if (!SUPPORTED.contains(driver.getPreferQueryMode())) {
      return Optional.of(
          "preferQueryMode="
              + driver.getPreferQueryMode().value()
              + ", where only extended and extendedForPrepared are supported");
    } else if (driver.getPrepareThreshold() < 0) {
      return Optional.of(
          "prepareThreshold=-1, with which the driver cannot repeat several statements sent at once");
    }
    return Optional.empty();
  }
}
