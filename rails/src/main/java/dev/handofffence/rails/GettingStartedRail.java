package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Publishes the library under a version that has never existed into an empty repository, and then
 * follows docs/getting-started.md to the letter in an empty folder: its files, its commands, and
 * what they must have said.
 */
record GettingStartedRail(Versions versions) implements Rail {

  @Override
  public String name() {
    return "getting-started";
  }

  @Override
  public void run(RailRun run) throws IOException {
    Conditions.needProgram("psql", "--version");
    Publication publication = Publication.publish(run, versions);
    Path source = publication.source();
    Repository repository = publication.repository();
    try {
      run.maven("follow the page", source, follow(run, repository));
    } finally {
      run.gather(source);
    }
    repository.requireOnlyWhatIsPublished();
    Conditions.allPassed(run);
    Conditions.noneSkipped(run);
  }

  /** What the page needs of this build is its test alone: nothing else is installed anywhere. */
  private static List<String> follow(RailRun run, Repository repository) {
    return List.of(
        "install",
        "-Pgetting-started",
        "-Dmaven.install.skip",
        "-Drevision=" + repository.version(),
        "-Dfence.rail.version=" + repository.version(),
        "-Dfence.rail.repository=" + repository.folder(),
        "-Dfence.facts=" + run.facts(),
        "-pl",
        "fence-core",
        "-am");
  }
}
