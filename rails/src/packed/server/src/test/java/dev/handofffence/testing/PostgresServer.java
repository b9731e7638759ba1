package dev.handofffence.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Stands in for the class of this name in fence-testing, which is not published: as much of it as
 * the tests of consumer-it call, on a server of {@code FENCE_TEST_JDBC_URL} or else an embedded
 * one.
 */
public final class PostgresServer {

  private static PostgresServer shared;

  private final Login login;
  private final String kind;
  private final Map<String, String> templates = new HashMap<>();
  private final String prefix = "packed_" + UUID.randomUUID().toString().substring(0, 8) + '_';
  private final Properties facts = new Properties();
  private int created;

  /** Fills a template. */
  @FunctionalInterface
  public interface Initializer {
    void initialize(DataSource superuser) throws SQLException;
  }

  private PostgresServer(String url, String kind) {
    this.login = Login.of(url);
    this.kind = kind;
  }

  public static synchronized PostgresServer shared() {
    if (shared == null) {
      String external = System.getenv("FENCE_TEST_JDBC_URL");
      shared =
          external == null || external.isBlank()
              ? new PostgresServer(startEmbedded(), "embedded")
              : new PostgresServer(external, "external");
      shared.recordServer();
    }
    return shared;
  }

  private static String startEmbedded() {
    try {
      return EmbeddedPostgres.builder()
          .setLocaleConfig("locale", "C")
          .start()
          .getJdbcUrl("postgres", "postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String createDatabase() {
    return create("template1");
  }

  public synchronized String createDatabase(String template, Initializer initializer) {
    return create(templates.computeIfAbsent(template, key -> filled(initializer)));
  }

  private String filled(Initializer initializer) {
    String name = create("template1");
    try {
      initializer.initialize(superuser(name));
      return name;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private synchronized String create(String template) {
    String name = prefix + ++created;
    ask(login, "CREATE DATABASE " + name + " TEMPLATE " + template);
    return name;
  }

  public void dropDatabase(String database) {
    ask(login, "DROP DATABASE " + database);
  }

  public DataSource superuser(String database) {
    return login.withDatabase(database);
  }

  public DataSource dataSource(String database, String role, String password) {
    return login.withDatabase(database).withUser(role, password);
  }

  public static DataSource actingAs(String role, DataSource superuser) {
    return ((Login) superuser).with("options", "-c role=" + role);
  }

  private void recordServer() {
    facts.setProperty("kind", kind);
    facts.setProperty("version", ask(login, "SELECT version()"));
    facts.setProperty("identity", ask(login, "SELECT system_identifier FROM pg_control_system()"));
    facts.setProperty("driver", driverVersion());
    write();
  }

  private String driverVersion() {
    try (Connection connection = login.getConnection()) {
      return connection.getMetaData().getDriverVersion();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes down what bounds the sessions of a role, and where PostgreSQL has it from. */
  public synchronized void recordSession(DataSource role) {
    for (String name : TIMEOUTS) {
      facts.setProperty(
          name,
          ask(
              role,
              "SELECT current_setting(name) || ' (' || source || ', ' || session_user || ')'"
                  + " FROM pg_settings WHERE name = '"
                  + name
                  + "'"));
    }
    write();
  }

  private static final String[] TIMEOUTS = {
    "lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"
  };

  private void write() {
    String folder = System.getProperty("fence.facts", "");
    if (folder.isEmpty()) {
      return;
    }
    Path file = Path.of(folder, "server-" + ProcessHandle.current().pid() + ".properties");
    try {
      Files.createDirectories(file.getParent());
      try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
        facts.store(out, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String ask(DataSource source, String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      ResultSet row = statement.getResultSet();
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
