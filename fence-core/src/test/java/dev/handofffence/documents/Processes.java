package dev.handofffence.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs that a page tells its reader to run. */
final class Processes {

  private Processes() {}

  /** Returns what a program printed; it must end well within the time. */
  static String run(Path folder, Map<String, String> environment, int minutes, List<String> command)
      throws Exception {
    Path printed = Files.createTempFile(folder, "printed", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(minutes, TimeUnit.MINUTES);
      String text = Files.readString(printed, StandardCharsets.UTF_8);
      assertThat(ended).as("%s ended. %s", command, text).isTrue();
      assertThat(process.exitValue()).as("%s said: %s", command, text).isZero();
      return text;
    } finally {
      process.destroyForcibly();
    }
  }
}
