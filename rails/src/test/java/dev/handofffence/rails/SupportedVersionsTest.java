package dev.handofffence.rails;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page that promises versions promises those that the rails run with. */
class SupportedVersionsTest {

  private static final Versions VERSIONS = Versions.read();

  @Test
  void pgjdbc_isPromisedFromTheOldestToTheNewestThatIsTested() throws IOException {
    assertThat(row("pgjdbc"))
        .contains("| " + VERSIONS.get("postgresql.oldest.version") + ";")
        .endsWith("| " + VERSIONS.get("postgresql.version") + " |");
  }

  @Test
  void jooq_isPromisedFromTheOldestToTheNewestThatIsTested() throws IOException {
    assertThat(VERSIONS.get("jooq.version")).startsWith("3.19.");
    assertThat(row("jOOQ")).contains("| 3.19 | " + VERSIONS.get("jooq.newest.version"));
  }

  private static String row(String of) throws IOException {
    return Files.readAllLines(Path.of("../docs/operations.md")).stream()
        .filter(line -> line.startsWith("| " + of + " |"))
        .findFirst()
        .orElseThrow();
  }
}
