package dev.handofffence.testing;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Opens sessions whose time zone is {@link PostgresServer#TIME_ZONE}.
 *
 * <p>By a statement, because the driver sends the zone of the JVM when it connects, and that beats
 * the configuration of the server.
 */
final class ZonedDataSource extends PGSimpleDataSource {

  private static final long serialVersionUID = 1L;

  @Override
  public Connection getConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    Connection connection = super.getConnection(user, password);
    try (var statement = connection.createStatement()) {
      statement.execute("SET TIME ZONE '" + PostgresServer.TIME_ZONE + "'");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }
}
