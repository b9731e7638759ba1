package dev.handofffence.rails;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is published is complete, stands alone, and is all there is of this repository. */
class RepositoryTest {

  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <name>n</name> <description>d</description> <url>u</url> <inceptionYear>y</inceptionYear>
        <licenses><license><name>l</name><url>u</url></license></licenses>
        <developers><developer><name>a</name></developer></developers>
        <scm>
          <url>u</url> <connection>scm:git:u</connection>
          <developerConnection>scm:git:u</developerConnection>
        </scm>
        %s
      </project>
      """;

  @TempDir private Path folder;
  private Repository repository;

  @BeforeEach
  void publish() throws IOException {
    repository = new Repository(folder, "1");
    for (String library : Published.LIBRARIES) {
      for (String suffix : new String[] {".jar", "-sources.jar", "-javadoc.jar"}) {
        write(library, suffix, "");
      }
      write(library, ".pom", POM.formatted(""));
      write(library, "-cyclonedx.json", "{}");
    }
    write(Published.BOM, ".pom", POM.formatted("<version>${project.version}</version>"));
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
    write("fence-core", ".pom", POM.formatted("<parent></parent>"));

    assertThatThrownBy(repository::requireOnlyWhatIsPublished)
        .hasMessageContaining("fence-core-1.pom");
  }

  @Test
  void pomWithAPropertyOfTheParent_isRefused() throws IOException {
    write(Published.BOM, ".pom", POM.formatted("<version>${revision}</version>"));

    assertThatThrownBy(repository::requireOnlyWhatIsPublished)
        .hasMessageContaining("handoff-fence-bom-1.pom");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<url>u</url> <inc", "<connection>scm:git:u", "<name>a</name>"})
  void pomThatMavenCentralRefuses_isRefused(String needed) throws IOException {
    String emptied = needed.replaceFirst("(>|scm:git:)u", "$1").replaceFirst(">a<", "><");
    write("fence-core", ".pom", POM.formatted("").replace(needed, emptied));

    assertThatThrownBy(repository::requireOnlyWhatIsPublished)
        .hasMessageContaining("fence-core-1.pom does not say");
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
