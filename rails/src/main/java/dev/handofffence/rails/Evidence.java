package dev.handofffence.rails;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a rail saw.
 *
 * @param rail name of the rail
 * @param outcome passed only for a run that has finished and met every condition
 * @param failure why it did not pass, in a sentence
 * @param started ISO-8601
 * @param finished ISO-8601
 * @param command what to type to get the same run
 * @param source what was built
 * @param system what it was built on
 * @param runs the commands that the rail started, in their order
 * @param artifacts what was published, or would have been
 * @param servers one for each server that tests have used
 * @param tests counts over all reports
 */
record Evidence(
    String rail,
    Outcome outcome,
    @Nullable String failure,
    String started,
    @Nullable String finished,
    String command,
    SourceTree.Identity source,
    Map<String, String> system,
    List<Run> runs,
    List<Artifact> artifacts,
    List<Map<String, String>> servers,
    TestCounts tests) {

  /** How the run ended; pending is what a run that was killed leaves behind. */
  enum Outcome {
    @JsonProperty("pending")
    PENDING,
    @JsonProperty("failed")
    FAILED,
    @JsonProperty("passed")
    PASSED
  }

  /**
   * One command.
   *
   * @param command without this machine's paths
   * @param exit its exit code
   * @param seconds how long it took
   */
  record Run(String command, int exit, long seconds) {}

  /**
   * One file.
   *
   * @param file its name, which has the version in it
   * @param sha256 of its bytes
   */
  record Artifact(String file, String sha256) {}
}
