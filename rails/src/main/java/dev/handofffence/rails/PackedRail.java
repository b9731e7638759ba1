package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * Packs the library under a version that has never existed, publishes it into an empty repository,
 * and builds and runs applications that have nothing else of this source tree.
 */
record PackedRail(Versions versions) implements Rail {

  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");

  @Override
  public String name() {
    return "packed";
  }

  @Override
  public void run(RailRun run) throws IOException {
    String version = freshVersion(versions);
    Path source = run.copySource("source");
    Repository repository = new Repository(run.path("repository"), version);
    Console.say("  version " + version);
    run.maven("publish", source, publish(repository));
    run.artifact(repository.artifacts());
    repository.requireOnlyWhatIsPublished();

    Consumers consumers = new Consumers(run, source, repository, versions);
    consumers.application("modular", true);
    consumers.application("classpath", false);
    consumers.plain();
    new Trespassers(run, consumers).attempt();
    repository.requireOnlyWhatIsPublished();
    Conditions.allPassed(run);
    Conditions.noneSkipped(run);
  }

  static String freshVersion(Versions versions) {
    String base = versions.get("revision").replace("-SNAPSHOT", "");
    return base + "-packed." + STAMP.format(ZonedDateTime.now(ZoneOffset.UTC));
  }

  static List<String> publish(Repository repository) {
    return List.of(
        "deploy",
        "-Prelease",
        "-Dmaven.test.skip",
        "-Drevision=" + repository.version(),
        "-DaltDeploymentRepository=packed::" + repository.folder().toUri(),
        "-pl",
        String.join(",", Published.LIBRARIES) + ',' + Published.BOM,
        "-am");
  }
}
