package dev.handofffence.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerFactsTest {

  @TempDir private Path folder;
  private final String before = System.getProperty(ServerFacts.FOLDER, "");
  private final ServerFacts facts = new ServerFacts();

  @BeforeEach
  void ask() {
    System.setProperty(ServerFacts.FOLDER, folder.toString());
  }

  @AfterEach
  void restore() {
    System.setProperty(ServerFacts.FOLDER, before);
  }

  @Test
  void nobodyAsked_nothingIsWritten() throws IOException {
    System.setProperty(ServerFacts.FOLDER, "");

    facts.record(Map.of("kind", "embedded"));

    assertThat(written()).isEmpty();
  }

  @Test
  void laterFacts_joinEarlierOnes() throws IOException {
    facts.record(Map.of("kind", "embedded"));
    facts.record(Map.of("version", "16"));

    assertThat(written()).contains("kind=embedded", "version=16");
  }

  @Test
  void externalServer_saysSoAndKeepsItsUrl() {
    assertThat(new ExternalServer("jdbc:postgresql://host/db?password=secret").facts())
        .isEqualTo(Map.of("kind", "external"));
  }

  @Test
  void timeout_hasItsSourceAndItsOwner() throws IOException, SQLException {
    PostgresServer server = PostgresServer.shared();
    String database = server.createDatabase();
    DataSource superuser = server.superuser(database);
    try (var connection = superuser.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("ALTER DATABASE " + database + " SET lock_timeout = '2s'");
    }

    facts.recordTimeouts(superuser);

    assertThat(written())
        .anyMatch(line -> line.startsWith("lock_timeout=2s (database of "))
        .anyMatch(line -> line.startsWith("statement_timeout="))
        .anyMatch(line -> line.startsWith("idle_in_transaction_session_timeout="));
  }

  private List<String> written() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.toList();
      return all.isEmpty() ? List.of() : Files.readAllLines(all.get(0));
    }
  }
}
