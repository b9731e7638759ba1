package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Runs one rail; exit code zero means that its evidence says passed. */
public final class RailMain {

  private RailMain() {}

  /**
   * Runs the rail of this name.
   *
   * @param arguments the name
   */
  public static void main(String[] arguments) {
    System.exit(run(arguments[0]));
  }

  private static int run(String name) {
    try {
      return run(Rails.named(name));
    } catch (RailException | IOException e) {
      Console.say(String.valueOf(e.getMessage()));
      return 1;
    }
  }

  private static int run(Rail rail) throws IOException {
    Path root = Path.of(System.getProperty("rail.root")).toAbsolutePath().normalize();
    List<String> always =
        Stream.of(System.getProperty("rail.args", "").split(" "))
            .filter(s -> !s.isEmpty())
            .toList();
    MavenLauncher maven = new MavenLauncher(Path.of(System.getProperty("rail.maven")), always);
    Console.say("rail " + rail.name());
    RailRun run = new RailRun(rail.name(), root, maven);
    return finish(rail, run);
  }

  /** Only a rail that came to its end without an exception has passed. */
  static int finish(Rail rail, RailRun run) throws IOException {
    try {
      rail.run(run);
    } catch (RailException | IOException e) {
      run.failed(String.valueOf(e.getMessage()));
      Console.say("rail " + rail.name() + " FAILED: " + e.getMessage());
      return 1;
    } catch (RuntimeException | Error e) {
      run.failed(e.toString());
      throw e;
    }
    run.passed();
    Console.say("rail " + rail.name() + " passed: " + run.evidence());
    return 0;
  }
}
