package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The oldest supported driver: in an application that has the library as it is published, which was
 * built with the newest, and under the library's own tests of whatever the driver has a part in.
 */
record PgjdbcRail(Versions versions) implements Rail {

  /** All that sends scripts, counts round trips, cancels, or reads what the driver knows. */
  private static final String TESTS =
      "dev/handofffence/handoff/*Test,dev/handofffence/acceptance/*Test,"
          + "dev/handofffence/runtime/*Test,dev/handofffence/operator/*Test,"
          + "dev/handofffence/work/*Test,dev/handofffence/administration/*Test,"
          + "dev/handofffence/internal/**/*Test";

  /** What is refused with this driver; that it is, is tested. */
  private static final String REFUSED = "autosave";

  @Override
  public String name() {
    return "pgjdbc";
  }

  @Override
  public void run(RailRun run) throws IOException {
    String driver = "-Dpostgresql.version=" + oldest();
    Publication publication = Publication.publish(run, versions);
    new Consumers(run, publication, versions).application("oldest pgjdbc", true, driver);
    test(run, driver);
    Conditions.allPassed(run);
    Conditions.everyServer(run, "driver", Pattern.quote(oldest()));
  }

  private void test(RailRun run, String driver) throws IOException {
    Path source = run.copySource("tested");
    try {
      run.maven("test with the oldest pgjdbc", source, arguments(run, driver));
    } finally {
      run.gather(source);
    }
  }

  private static List<String> arguments(RailRun run, String driver) {
    return List.of(
        "test",
        driver,
        "-Dtest=" + TESTS,
        "-Dsurefire.failIfNoSpecifiedTests=false",
        "-Dfence.test.excludedGroups=scale," + REFUSED,
        "-Dfence.facts=" + run.facts(),
        "-pl",
        "fence-testing,fence-generated,fence-core");
  }

  private String oldest() {
    return versions.get("postgresql.oldest.version");
  }
}
