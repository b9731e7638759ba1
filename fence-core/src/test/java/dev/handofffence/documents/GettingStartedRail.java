package dev.handofffence.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.testing.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.common.BaseDataSource;

/**
 * Follows docs/getting-started.md to the letter, as {@code mvn -Pgetting-started install} does: its
 * files in an empty folder, its commands with the Maven and psql of this machine, the library from
 * the local repository that it was installed into, a server that has nothing yet.
 *
 * <p>{@code fence.rail.version} and {@code fence.rail.repository} say which version is meant and
 * where it was installed.
 */
class GettingStartedRail {

  private static final int MINUTES = 10;

  @TempDir Path folder;

  @Test
  void following_leadsToAPreparedHandoffAndToADeniedOne() throws Exception {
    GettingStartedPage page = new GettingStartedPage(text -> text);
    page.writeFiles(folder);
    sayWhereTheLibraryIs();
    try (PostgresServer server = PostgresServer.startDurable()) {
      Map<String, String> environment = environment(server);
      assertThat(
              page.runCommands(
                  command ->
                      Processes.run(folder, environment, MINUTES, List.of("sh", "-c", command))))
          .isEqualTo(5);
    }
  }

  /** The commands stay as they are on the page; this is what a reader's own settings would say. */
  private void sayWhereTheLibraryIs() throws Exception {
    Files.createDirectories(folder.resolve(".mvn"));
    Files.writeString(
        folder.resolve(".mvn/maven.config"),
        "-Dmaven.repo.local="
            + System.getProperty("fence.rail.repository")
            + "\n-Dfence.version="
            + System.getProperty("fence.rail.version")
            + "\n");
  }

  private static Map<String, String> environment(PostgresServer server) {
    BaseDataSource superuser = (BaseDataSource) server.superuser("postgres");
    Map<String, String> environment = new HashMap<>();
    environment.put("PGHOST", superuser.getServerNames()[0]);
    environment.put("PGPORT", Integer.toString(superuser.getPortNumbers()[0]));
    environment.put("PGUSER", "postgres");
    return environment;
  }
}
