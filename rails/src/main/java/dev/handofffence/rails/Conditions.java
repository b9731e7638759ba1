package dev.handofffence.rails;

import java.util.Map;
import java.util.Objects;

/** What must be true before a rail starts, and of what it has seen. */
final class Conditions {

  private Conditions() {}

  /** Fails where the JDK that runs this is older. */
  static void needJdk(int feature) {
    int here = Runtime.version().feature();
    if (here < feature) {
      throw new RailException("needs JDK " + feature + " or newer in JAVA_HOME; this is " + here);
    }
  }

  /** Fails where a program is not on the path. */
  static void needProgram(String name, String argument) {
    if (Processes.output(java.nio.file.Path.of("."), name, argument) == null) {
      throw new RailException("needs the program '" + name + "' on the PATH; it is not there");
    }
  }

  /** Fails where no test has run or one has not passed. */
  static void allPassed(RailRun run) {
    TestCounts tests = run.tests();
    if (tests.run() == 0 || tests.failed() + tests.errors() > 0) {
      throw new RailException("not every test passed: " + tests);
    }
  }

  /** Fails where a test was skipped: it has proven nothing. */
  static void noneSkipped(RailRun run) {
    if (run.tests().skipped() > 0) {
      throw new RailException("tests were skipped: " + run.tests());
    }
  }

  /** Fails where tests have used no server, or one that does not have this fact. */
  static void everyServer(RailRun run, String fact, String pattern) {
    if (run.servers().isEmpty()) {
      throw new RailException("no test has said which server it used");
    }
    for (Map<String, String> server : run.servers()) {
      String value = Objects.toString(server.get(fact));
      if (!value.matches(pattern)) {
        throw new RailException("a server's " + fact + " is " + value + ", not " + pattern);
      }
    }
  }
}
