package dev.handofffence.rails;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run of a rail: its folder, the Mavens it starts, and the evidence it gathers. */
final class RailRun {

  private final String rail;
  private final Path root;
  private final Path folder;
  private final MavenLauncher maven;
  private final EvidenceFile file;
  private final String started = Instant.now().toString();
  private final List<Evidence.Run> runs = new ArrayList<>();
  private final List<Evidence.Artifact> artifacts = new ArrayList<>();
  private final SourceTree.Identity source;
  private List<Map<String, String>> servers = List.of();
  private TestCounts tests = TestCounts.NONE;

  /**
   * Begins a run: empties its folder and says that it is pending.
   *
   * @param root of the repository
   */
  RailRun(String rail, Path root, MavenLauncher maven) throws IOException {
    this.rail = rail;
    this.root = root;
    this.maven = maven;
    this.folder = root.resolve("target/rails").resolve(rail);
    this.file = new EvidenceFile(root.resolve("target/evidence"), rail);
    this.source = new SourceTree(root).identity();
    write(Evidence.Outcome.PENDING, null);
    Folders.delete(folder);
    Files.createDirectories(folder);
  }

  /** Returns a path in the folder of this run. */
  Path path(String name) {
    return folder.resolve(name);
  }

  Path root() {
    return root;
  }

  /** Copies the source tree into the folder of this run and returns where. */
  Path copySource(String name) throws IOException {
    Path copy = path(name);
    new SourceTree(root).copyTo(copy);
    return copy;
  }

  /** Sets a variable for the Mavens to come; an empty value takes it away. */
  void setVariable(String name, String value) {
    maven.setVariable(name, value);
  }

  /** Runs Maven; another exit code than zero ends the rail. */
  void maven(String step, Path directory, List<String> arguments) {
    if (tryMaven(step, directory, arguments) != 0) {
      Console.tail(log(step));
      throw new RailException(step + " failed, see " + root.relativize(log(step)));
    }
  }

  /** Runs Maven and returns its exit code. */
  int tryMaven(String step, Path directory, List<String> arguments) {
    Console.begin(step);
    Instant begin = Instant.now();
    int exit = maven.run(directory, arguments, log(step));
    long seconds = Duration.between(begin, Instant.now()).toSeconds();
    Console.end(exit, seconds);
    String command = "mvn " + String.join(" ", arguments);
    runs.add(new Evidence.Run(command.replace(root.toString(), "."), exit, seconds));
    return exit;
  }

  /** Returns the output of a step. */
  Path log(String step) {
    return path(step.replaceAll("[^\\w.]+", "-") + ".log");
  }

  /** Where the JVMs of the tests write which server they used. */
  Path facts() {
    return path("facts");
  }

  /** Adds the reports below a folder to the counts, and the servers that tests have named. */
  void gather(Path tested) throws IOException {
    tests = tests.plus(TestCounts.below(tested));
    servers = ServerFacts.in(facts());
  }

  /** Adds files to the evidence. */
  void artifact(Path... files) throws IOException {
    for (Path artifact : Arrays.stream(files).sorted().toList()) {
      artifacts.add(new Evidence.Artifact(artifact.getFileName().toString(), Sha256.of(artifact)));
    }
  }

  TestCounts tests() {
    return tests;
  }

  List<Map<String, String>> servers() {
    return servers;
  }

  /** Says that the run has passed: in the evidence, and to the Maven that waits for it. */
  void passed() throws IOException {
    write(Evidence.Outcome.PASSED, null);
    Files.createFile(path("passed"));
  }

  void failed(String reason) {
    try {
      write(Evidence.Outcome.FAILED, reason);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns where the evidence is, from the root of the repository. */
  Path evidence() {
    return root.relativize(file.path());
  }

  private void write(Evidence.Outcome outcome, @Nullable String failure) throws IOException {
    String finished = outcome == Evidence.Outcome.PENDING ? null : Instant.now().toString();
    file.write(
        new Evidence(
            rail,
            outcome,
            failure,
            started,
            finished,
            "mvn -q -pl rails -Drail=" + rail,
            source,
            maven.system(),
            runs,
            artifacts,
            servers,
            tests));
  }
}
