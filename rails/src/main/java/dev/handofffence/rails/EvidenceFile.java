package dev.handofffence.rails;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The evidence of one rail on disk. What is written first says pending, and each later state
 * replaces the whole file at once: a run that was killed is never read as passed, and neither is
 * half a file.
 */
final class EvidenceFile {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path file;

  /**
   * @param folder is made if it is not there
   * @param rail name of the rail, and of its file
   */
  EvidenceFile(Path folder, String rail) {
    this.file = folder.resolve(rail + ".json");
  }

  Path path() {
    return file;
  }

  void write(Evidence evidence) throws IOException {
    Files.createDirectories(file.getParent());
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, JSON.writeValueAsString(evidence) + '\n');
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
