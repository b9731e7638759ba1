package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * One version, published for the consumers of a rail.
 *
 * @param source where it was built
 * @param repository where it was published
 */
record Publication(Path source, Repository repository) {

  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");

  /** Publishes the source tree under a version that has never existed, into an empty repository. */
  static Publication publish(RailRun run, Versions versions) throws IOException {
    String base = versions.get("revision").replace("-SNAPSHOT", "");
    String stamp = STAMP.format(ZonedDateTime.now(ZoneOffset.UTC));
    return publish(run, "source", "repository", base + "-packed." + stamp);
  }

  /** Publishes the source tree under a version, building it in one folder of the run. */
  static Publication publish(RailRun run, String folder, String into, String version)
      throws IOException {
    Console.say("  version " + version);
    Path source = run.copySource(folder);
    Repository repository = new Repository(run.path(into), version);
    run.maven("publish " + folder, source, arguments(repository));
    run.artifact(repository.artifacts());
    repository.requireOnlyWhatIsPublished();
    return new Publication(source, repository);
  }

  private static List<String> arguments(Repository repository) {
    return List.of(
        "deploy",
        "-Prelease",
        "-Dmaven.test.skip",
        "-Drevision=" + repository.version(),
        // Names that can never lead anywhere (RFC 2606), for the poms of a version nobody will see.
        "-Drelease.url=https://handoff-fence.invalid",
        "-Drelease.scm=https://handoff-fence.invalid/handoff-fence.git",
        "-Drelease.developer=A rail",
        "-DaltDeploymentRepository=packed::" + repository.folder().toUri(),
        "-pl",
        String.join(",", Published.LIBRARIES) + ',' + Published.BOM,
        "-am");
  }
}
