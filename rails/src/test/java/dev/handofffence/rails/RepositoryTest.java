package dev.handofffence.rails;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is published is complete, stands alone, and is all there is of this repository. */
class RepositoryTest {

  @TempDir private Path folder;
  private Repository repository;

  @BeforeEach
  void publish() throws IOException {
    repository = new Repository(folder, "1");
    for (String library : Published.LIBRARIES) {
      for (String suffix : new String[] {".jar", "-sources.jar", "-javadoc.jar"}) {
        write(library, suffix, "");
      }
      write(library, ".pom", "<project/>");
      write(library, "-cyclonedx.json", "{}");
    }
    write(Published.BOM, ".pom", "<project>${project.version}</project>");
  }

  @Test
  void completePublication_isAccepted() {
    assertThatCode(repository::requireOnlyWhatIsPublished).doesNotThrowAnyException();
  }

  @Test
  void missingSources_areNamed() throws IOException {
    Files.delete(file("fence-core", "-sources.jar"));

    assertThatThrownBy(repository::requireOnlyWhatIsPublished)
        .hasMessageContaining("fence-core-1-sources.jar");
  }

  @Test
  void pomWithAParent_isRefused() throws IOException {
    write("fence-core", ".pom", "<project><parent></parent></project>");

    assertThatThrownBy(repository::requireOnlyWhatIsPublished)
        .hasMessageContaining("fence-core-1.pom");
  }

  @Test
  void pomWithAPropertyOfTheParent_isRefused() throws IOException {
    write(Published.BOM, ".pom", "<project>${revision}</project>");

    assertThatThrownBy(repository::requireOnlyWhatIsPublished)
        .hasMessageContaining("handoff-fence-bom-1.pom");
  }

  @Test
  void moduleThatIsNotPublished_isFound() throws IOException {
    write("fence-testing", ".pom", "<project/>");

    assertThatThrownBy(repository::requireOnlyWhatIsPublished)
        .hasMessageContaining("fence-testing");
  }

  private void write(String module, String suffix, String text) throws IOException {
    Path file = file(module, suffix);
    Files.createDirectories(folder(module));
    Files.writeString(file, text);
  }

  private Path file(String module, String suffix) {
    return folder(module).resolve(module + "-1" + suffix);
  }

  private Path folder(String module) {
    return folder.resolve("dev/handofffence").resolve(module).resolve("1");
  }
}
