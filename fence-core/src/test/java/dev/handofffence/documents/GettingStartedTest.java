package dev.handofffence.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.testing.PostgresServer;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.common.BaseDataSource;

/**
 * Following docs/getting-started.md leads to a prepared handoff and to a denied one. Here its
 * classes are compiled and run in JVMs of their own without Maven, and database and roles have
 * other names, since the server may be anybody's; {@link GettingStartedRail} does it to the letter.
 */
@Timeout(120)
class GettingStartedTest {

  private static final Pattern NAMES =
      Pattern.compile(
          "fence_first_try|durable_(?:owner|deployer|dispatcher|runtime|operator)(?!\\w)");
  private static final Pattern PSQL = Pattern.compile("psql -d (\\w+) .*?-([fc]) (.*)");
  private static final Pattern PROPERTY = Pattern.compile("-Dexec\\.(\\w+)=(\\S+)");

  @TempDir Path folder;

  private final String mark = "_" + UUID.randomUUID().toString().substring(0, 8);
  private final GettingStartedPage page =
      new GettingStartedPage(text -> NAMES.matcher(text).replaceAll("$0" + mark));
  private final BaseDataSource server =
      (BaseDataSource) PostgresServer.shared().superuser("postgres");

  @AfterEach
  void removeDatabaseAndRoles() throws SQLException {
    execute("postgres", "DROP DATABASE IF EXISTS fence_first_try" + mark + " WITH (FORCE)");
    for (String role : List.of("deployer", "owner", "dispatcher", "runtime", "operator")) {
      execute("postgres", "DROP ROLE IF EXISTS durable_" + role + mark);
    }
  }

  @Test
  void following_leadsToAPreparedHandoffAndToADeniedOne() throws Exception {
    List<String> files = page.writeFiles(folder);
    Files.createDirectories(folder.resolve("target/classes"));
    assertThat(SourceFiles.compile(javaOf(files), folder.resolve("target/classes"))).isEmpty();

    assertThat(page.runCommands(this::run)).isEqualTo(5);
  }

  /** A reader gets the versions that the library was built and tested with. */
  @Test
  void versions_areThoseOfTheBuild() throws Exception {
    String build = Files.readString(Page.REPOSITORY.resolve("pom.xml"));
    String example = page.file("pom.xml").text();

    assertThat(example)
        .contains("<version>" + property(build, "jackson.version"))
        .contains("<version>" + property(build, "flyway.version"))
        .contains("<version>" + property(build, "slf4j.version"))
        .contains("<fence.version>" + property(build, "revision"));
  }

  private Map<String, String> javaOf(List<String> files) throws Exception {
    Map<String, String> sources = new LinkedHashMap<>();
    for (String file : files) {
      if (file.endsWith(".java")) {
        String name = file.replace("src/main/java/", "").replace(".java", "").replace('/', '.');
        sources.put(name, Files.readString(folder.resolve(file)));
      }
    }
    return sources;
  }

  private String run(String command) throws Exception {
    MatchResult psql = PSQL.matcher(command).results().findFirst().orElse(null);
    if (psql != null) {
      return execute(psql.group(1), psql.group(3), psql.group(2).equals("f"));
    }
    assertThat(command).startsWith("mvn -q compile exec:java ");
    List<String> arguments =
        PROPERTY.matcher(command).results().map(property -> property.group(2)).toList();
    return java(arguments);
  }

  private String java(List<String> mainClassAndArguments) throws Exception {
    String classPath =
        String.join(
            File.pathSeparator,
            folder.resolve("target/classes").toString(),
            folder.resolve("src/main/resources").toString(),
            System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classPath));
    command.addAll(mainClassAndArguments);
    return Processes.run(folder, environment(), 1, command);
  }

  private Map<String, String> environment() {
    return Map.of(
        "PGHOST",
        server.getServerNames()[0],
        "PGPORT",
        Integer.toString(server.getPortNumbers()[0]));
  }

  private String execute(String database, String sql, boolean isFile) throws Exception {
    String text = isFile ? Files.readString(folder.resolve(sql)) : sql.replace("\"", "");
    for (String statement : text.strip().replaceAll(";$", "").split(";\\s*", -1)) {
      execute(database, statement);
    }
    return "";
  }

  private static void execute(String database, String statement) throws SQLException {
    try (var connection = PostgresServer.shared().superuser(database).getConnection();
        var executed = connection.createStatement()) {
      executed.execute(statement);
    }
  }

  private static String property(String pom, String name) {
    return Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)")
        .matcher(pom)
        .results()
        .findFirst()
        .map(result -> result.group(1))
        .orElseThrow();
  }
}
