package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * All tests under one other condition.
 *
 * @param name of the rail
 * @param arguments of Maven
 * @param ownServer whether the tests must bring their server along, whatever the environment says
 * @param before fails where the rail cannot run
 * @param after fails where what was seen is not what the rail is for
 */
record TestRail(
    String name,
    List<String> arguments,
    boolean ownServer,
    Runnable before,
    Consumer<RailRun> after)
    implements Rail {

  @Override
  public void run(RailRun run) throws IOException {
    before.run();
    if (ownServer) {
      run.setVariable("FENCE_TEST_JDBC_URL", "");
    }
    Path source = run.copySource("source");
    List<String> all = new ArrayList<>(List.of("verify", "-Dfence.facts=" + run.facts()));
    all.addAll(arguments);
    try {
      run.maven("build and test", source, all);
    } finally {
      run.gather(source);
    }
    run.artifact(Published.jars(source));
    Conditions.allPassed(run);
    after.accept(run);
  }
}
