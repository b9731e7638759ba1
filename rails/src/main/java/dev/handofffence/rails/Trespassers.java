package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Code that must not compile against the published artifacts, and must fail for the right reason.
 */
record Trespassers(RailRun run, Consumers consumers) {

  private static final String NOT_VISIBLE = "package dev.handofffence.%s is not visible";

  private static final Map<String, String> MODULAR =
      Map.of(
          "BindsAFence", NOT_VISIBLE.formatted("internal.handoff"),
          "ForgesAClaim", NOT_VISIBLE.formatted("internal.claim"),
          "WritesNativeRows", NOT_VISIBLE.formatted("generated.tables"));

  private static final Map<String, String> CLASSPATH =
      Map.of(
          "BindsAFence", "is not public in dev.handofffence.internal.handoff.Invocation",
          "ImplementsTheToken", "class is not allowed to extend sealed class",
          "MakesAFence", "InvocationFence is not public in dev.handofffence.internal.handoff");

  void attempt() throws IOException {
    run.maven("trespasser who does not", project("allowed"), consumers.arguments("compile"));
    mustFail("modular", MODULAR);
    mustFail("classpath", CLASSPATH);
  }

  private Path project(String kind) throws IOException {
    Path project = run.path("trespasser-" + kind);
    Path sources = project.resolve("src/main/java");
    Path packed = consumers.packed().resolve("trespasser");
    Folders.copy(packed.resolve("pom.xml"), project.resolve("pom.xml"));
    Folders.copy(packed.resolve("allowed"), sources);
    Folders.copy(packed.resolve(kind), sources);
    if (kind.equals("classpath")) {
      Files.delete(sources.resolve("module-info.java"));
    }
    return project;
  }

  private void mustFail(String kind, Map<String, String> reasons) throws IOException {
    String step = "trespasser " + kind;
    if (run.tryMaven(step, project(kind), consumers.arguments("compile")) == 0) {
      throw new RailException(step + " compiles");
    }
    Map<String, String> seen = errors(run.log(step));
    boolean isAsExpected =
        seen.keySet().equals(reasons.keySet())
            && seen.entrySet().stream()
                .allMatch(error -> error.getValue().contains(reason(reasons, error.getKey())));
    if (!isAsExpected) {
      throw new RailException(step + " fails otherwise than expected: " + seen);
    }
  }

  private static String reason(Map<String, String> reasons, String file) {
    return Objects.requireNonNull(reasons.get(file), file);
  }

  /** Returns the compiler's errors by the class that has them. */
  private static Map<String, String> errors(Path log) throws IOException {
    try (var lines = Files.lines(log)) {
      return lines
          .filter(line -> line.matches("\\[ERROR].*\\.java:\\[.*"))
          .collect(
              Collectors.toMap(
                  line -> line.replaceFirst(".*/([A-Za-z]+)\\.java:\\[.*", "$1"),
                  line -> line,
                  (first, second) -> first.equals(second) ? first : first + second,
                  TreeMap::new));
    }
  }
}
