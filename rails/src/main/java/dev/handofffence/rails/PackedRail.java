package dev.handofffence.rails;

import java.io.IOException;

/**
 * Packs the library under a version that has never existed, publishes it into an empty repository,
 * and builds and runs applications that have nothing else of this source tree. What was published
 * is the baseline of the API's next version.
 */
record PackedRail(Versions versions) implements Rail {

  @Override
  public String name() {
    return "packed";
  }

  @Override
  public void run(RailRun run) throws IOException {
    Publication publication = Publication.publish(run, versions);
    Consumers consumers = new Consumers(run, publication, versions);
    consumers.application("modular", true);
    consumers.application("classpath", false);
    consumers.plain();
    new Trespassers(run, consumers).attempt();
    new ApiBaseline(run, publication).compare();
    publication.repository().requireOnlyWhatIsPublished();
    Conditions.allPassed(run);
    Conditions.noneSkipped(run);
  }
}
