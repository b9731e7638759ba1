package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Compares the API with what was published, as the release after this one will: what is equal
 * passes, and what lacks a method does not.
 */
record ApiBaseline(RailRun run, Publication publication) {

  /**
   * Any later version: with the published one itself, Maven would compare the build with itself.
   */
  private static final String NEXT = "0.1.1";

  /** A public method that nothing in the library calls, so that it compiles without it. */
  private static final String CLASS =
      "fence-core/src/main/java/dev/handofffence/work/SuspendReason.java";

  private static final String METHOD = "Problem problem()";
  private static final String REASON = "binary incompatible changes found";

  /** Changes the published source; nothing else can be done with it afterwards. */
  void compare() throws IOException {
    run.maven("api, unchanged", publication.source(), arguments());
    removeMethod();
    String step = "api without a method";
    boolean passes = run.tryMaven(step, publication.source(), arguments()) == 0;
    if (passes || !Files.readString(run.log(step)).contains(REASON)) {
      throw new RailException(step + " is not refused for it");
    }
  }

  private void removeMethod() throws IOException {
    Path file = publication.source().resolve(CLASS);
    String text = Files.readString(file);
    String changed = text.replace("public " + METHOD, METHOD);
    if (changed.equals(text)) {
      throw new RailException("nothing to remove: " + METHOD + " is not in " + CLASS);
    }
    Files.writeString(file, changed);
  }

  private List<String> arguments() {
    return List.of(
        "verify",
        "-Dapi.baseline=" + publication.repository().version(),
        "-Drevision=" + NEXT,
        "-Dmaven.test.skip",
        "-Dmaven.repo.local=" + publication.repository().folder(),
        "-pl",
        "fence-core",
        "-am");
  }
}
