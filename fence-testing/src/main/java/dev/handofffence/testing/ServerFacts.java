package dev.handofffence.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;

/**
 * What this JVM's tests ran against, in a file of the folder that the system property {@code
 * fence.facts} names: a rail puts it into its evidence. Without the property nothing is written.
 */
final class ServerFacts {

  static final String FOLDER = "fence.facts";

  private static final List<String> TIMEOUTS =
      List.of("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout");

  private final Properties facts = new Properties();

  synchronized void record(Map<String, String> more) {
    facts.putAll(more);
    write();
  }

  /** Records the timeouts of a role's sessions, with the source that PostgreSQL names. */
  void recordTimeouts(DataSource role) {
    if (!isWanted() || facts.containsKey(TIMEOUTS.get(0))) {
      return;
    }
    Map<String, String> timeouts = new HashMap<>();
    try (var connection = role.getConnection();
        var query =
            connection.prepareStatement(
                "SELECT current_setting(name) || ' (' || source || ' of ' || session_user || ')'"
                    + " FROM pg_settings WHERE name = ?")) {
      for (String name : TIMEOUTS) {
        query.setString(1, name);
        try (var row = query.executeQuery()) {
          row.next();
          timeouts.put(name, row.getString(1));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    record(timeouts);
  }

  private void write() {
    if (!isWanted()) {
      return;
    }
    Path file =
        Path.of(
            System.getProperty(FOLDER), "server-" + ProcessHandle.current().pid() + ".properties");
    try {
      Files.createDirectories(file.getParent());
      try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
        facts.store(out, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isWanted() {
    return !System.getProperty(FOLDER, "").isEmpty();
  }
}
