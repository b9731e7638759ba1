package dev.handofffence.testing;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Unpooled connections. The driver's own data source would do, but its supertypes belong to
 * java.naming, which the application's module does not read.
 */
record Login(String url, Map<String, String> properties) implements DataSource {

  static Login of(String url) {
    return new Login(url, Map.of());
  }

  Login withDatabase(String name) {
    return new Login(url.replaceFirst("(jdbc:postgresql://[^/]*/)[^?]*", "$1" + name), properties);
  }

  Login withUser(String user, String password) {
    // What the URL says would win.
    String anonymous = url.replaceAll("(?<=[?&])(user|password)=[^&]*&?", "");
    return new Login(anonymous, properties).with("user", user).with("password", password);
  }

  Login with(String name, String value) {
    Map<String, String> more = new TreeMap<>(properties);
    more.put(name, value);
    return new Login(url, more);
  }

  @Override
  public Connection getConnection() throws SQLException {
    Properties all = new Properties();
    all.putAll(properties);
    return DriverManager.getConnection(url, all);
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return withUser(user, password).getConnection();
  }

  @Override
  public PrintWriter getLogWriter() {
    return new PrintWriter(System.out, true);
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }

  /** Without the URL and the properties, which may hold a password. */
  @Override
  public String toString() {
    return "login";
  }
}
