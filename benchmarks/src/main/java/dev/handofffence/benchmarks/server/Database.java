package dev.handofffence.benchmarks.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database, and how to reach it.
 *
 * @param host host of the server, or of a proxy in front of it
 * @param port its port
 * @param name name of the database
 * @param user who connects
 * @param password its password, or empty
 */
public record Database(String host, int port, String name, String user, String password) {

  /** Returns the same database for another role. */
  public Database as(String role, String rolePassword) {
    return new Database(host, port, name, role, rolePassword);
  }

  /** Returns the same database through a proxy on this machine. */
  public Database through(int proxyPort) {
    return new Database("127.0.0.1", proxyPort, name, user, password);
  }

  /** Returns unpooled connections, with the settings that every contender gets. */
  public DataSource unpooled() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {host});
    source.setPortNumbers(new int[] {port});
    source.setDatabaseName(name);
    source.setUser(user);
    source.setPassword(password);
    source.setReWriteBatchedInserts(true);
    return source;
  }

  /** Opens a pool of a fixed size, with every connection already there. */
  public HikariDataSource pool(int size) throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setDataSource(unpooled());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(size);
    HikariDataSource pool = new HikariDataSource(config);
    fill(pool, size);
    return pool;
  }

  /** HikariCP opens idle connections in the background; a measurement must not see that. */
  private static void fill(HikariDataSource pool, int size) throws SQLException {
    Connection[] all = new Connection[size];
    for (int i = 0; i < size; i++) {
      all[i] = pool.getConnection();
    }
    for (Connection connection : all) {
      connection.close();
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return host + ":" + port + "/" + name + " as " + user;
  }
}
