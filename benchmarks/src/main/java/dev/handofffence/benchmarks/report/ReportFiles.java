package dev.handofffence.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes what a run has found into a directory. */
public final class ReportFiles {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path directory;
  private final String run;

  /**
   * Names the files.
   *
   * @param directory where they go; created if need be
   * @param run name of the run, and of the files
   */
  public ReportFiles(Path directory, String run) {
    this.directory = directory;
    this.run = run;
  }

  public void text(String content) throws IOException {
    write(".md", content);
  }

  public void svg(String content) throws IOException {
    write(".svg", content);
  }

  public void json(Map<String, Object> content) throws IOException {
    write(".json", JSON.writeValueAsString(content) + "\n");
  }

  private void write(String extension, String content) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(run + extension), content);
  }
}
