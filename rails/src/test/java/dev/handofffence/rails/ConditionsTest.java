package dev.handofffence.rails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a green Maven does not say, the conditions do. */
class ConditionsTest {

  @TempDir private Path root;
  private RailRun run;

  @BeforeEach
  void begin() throws IOException {
    run = new RailRun("probe", root, new MavenLauncher(root, List.of()));
  }

  @Test
  void noTest_isNotPassed() {
    assertThatThrownBy(() -> Conditions.allPassed(run)).isInstanceOf(RailException.class);
  }

  @Test
  void reportsOfAllModules_areCounted() throws IOException {
    report("a", 3, 0, 0, 0);
    report("b", 4, 0, 0, 1);
    run.gather(root);

    assertThat(run.tests()).isEqualTo(new TestCounts(7, 0, 0, 1));
    assertThatCode(() -> Conditions.allPassed(run)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Conditions.noneSkipped(run)).hasMessageContaining("skipped");
  }

  @Test
  void failureOrError_isNotPassed() throws IOException {
    report("a", 3, 0, 1, 0);
    run.gather(root);

    assertThatThrownBy(() -> Conditions.allPassed(run)).hasMessageContaining("not every test");
  }

  @Test
  void externalServer_isNoContainer() throws IOException {
    server("1", "kind=testcontainers");
    server("2", "kind=external");
    run.gather(root);

    assertThatThrownBy(() -> Conditions.everyServer(run, "kind", "testcontainers"))
        .hasMessageContaining("external");
  }

  @Test
  void serverOfNobody_isNoProof() {
    assertThatThrownBy(() -> Conditions.everyServer(run, "kind", ".*"))
        .isInstanceOf(RailException.class);
  }

  @Test
  void sameServerOfSeveralJvms_standsThereOnce() throws IOException {
    server("1", "kind=external");
    server("2", "kind=external");
    run.gather(root);

    assertThat(run.servers()).hasSize(1);
  }

  @Test
  void missingProgram_isNamed() {
    assertThatThrownBy(() -> Conditions.needProgram("no-such-program", "--version"))
        .hasMessageContaining("'no-such-program'");
  }

  @Test
  void unknownRail_isAnsweredWithTheNamesOfAll() {
    assertThatThrownBy(() -> Rails.named("unknown"))
        .hasMessageContaining("packed")
        .hasMessageContaining("strict");
  }

  @Test
  void strictRail_demandsTheImageThatTheTestsStart() throws IOException {
    Path container =
        Path.of("../fence-testing/src/main/java/dev/handofffence/testing/ContainerServer.java");

    assertThat(Files.readString(container)).contains("postgres@sha256:" + Rails.DIGEST);
  }

  private void report(String module, int tests, int failures, int errors, int skipped)
      throws IOException {
    Path folder = Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
    Files.writeString(
        folder.resolve("TEST-Probe.xml"),
        "<testsuite tests='%d' failures='%d' errors='%d' skipped='%d'/>"
            .formatted(tests, failures, errors, skipped));
  }

  private void server(String jvm, String facts) throws IOException {
    Files.createDirectories(run.facts());
    Files.writeString(run.facts().resolve("server-" + jvm + ".properties"), facts);
  }
}
