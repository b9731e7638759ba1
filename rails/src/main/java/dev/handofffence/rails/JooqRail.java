package dev.handofffence.rails;

import java.io.IOException;

/**
 * The library as it is published, built with the oldest supported jOOQ, in applications that have
 * the newest one: to run with, to generate with, and both.
 */
record JooqRail(Versions versions) implements Rail {

  private static final int NEEDS_JDK = 21;

  @Override
  public String name() {
    return "jooq";
  }

  @Override
  public void run(RailRun run) throws IOException {
    Conditions.needJdk(NEEDS_JDK);
    String newest = versions.get("jooq.newest.version");
    String runtime = "-Djooq.version=" + newest;
    String generate = "-Djooq.codegen.version=" + newest;
    Consumers consumers = new Consumers(run, Publication.publish(run, versions), versions);
    consumers.application("newest jOOQ", true, runtime, generate);
    consumers.application("newest jOOQ, types of the oldest", true, runtime);
    consumers.application("oldest jOOQ, types of the newest", true, generate);
    Conditions.allPassed(run);
    Conditions.noneSkipped(run);
  }
}
