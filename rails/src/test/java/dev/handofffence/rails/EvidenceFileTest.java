package dev.handofffence.rails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to a run, its evidence never says more than the run has shown. */
class EvidenceFileTest {

  @TempDir private Path root;
  private RailRun run;

  @BeforeEach
  void beginAfterARunThatPassed() throws IOException {
    Files.writeString(root.resolve("file"), "text");
    begin().passed();
    run = begin();
  }

  private RailRun begin() throws IOException {
    return new RailRun("probe", root, new MavenLauncher(root, List.of()));
  }

  @Test
  void runThatWasKilled_staysPending() throws IOException {
    assertThat(outcome()).isEqualTo("pending");
    assertThat(read().get("finished").isNull()).isTrue();
    assertThat(root.resolve("target/rails/probe/passed")).doesNotExist();
  }

  @Test
  void runWhoseConditionFails_saysFailedAndWhy() throws IOException {
    int exit = RailMain.finish(probe(() -> failWith(new RailException("no server"))), run);

    assertThat(exit).isNotZero();
    assertThat(outcome()).isEqualTo("failed");
    assertThat(read().get("failure").asText()).isEqualTo("no server");
    assertThat(root.resolve("target/rails/probe/passed")).doesNotExist();
  }

  @Test
  void runThatBreaks_saysFailedAndPassesTheErrorOn() throws IOException {
    Rail broken = probe(() -> failWith(new IllegalStateException("broken")));

    assertThatThrownBy(() -> RailMain.finish(broken, run)).hasMessage("broken");
    assertThat(outcome()).isEqualTo("failed");
  }

  @Test
  void runThatFinishes_saysPassedAndWhatWasBuilt() throws IOException {
    assertThat(RailMain.finish(probe(() -> {}), run)).isZero();

    assertThat(outcome()).isEqualTo("passed");
    assertThat(read().get("command").asText()).isEqualTo("mvn -q -pl rails -Drail=probe");
    assertThat(read().at("/source/sha256").asText()).hasSize(64);
    assertThat(root.resolve("target/rails/probe/passed")).exists();
  }

  @Test
  void sourceThatDiffers_hasAnotherIdentity() throws IOException {
    String before = read().at("/source/sha256").asText();
    Files.writeString(root.resolve("target/left-out"), "result");
    begin();
    assertThat(read().at("/source/sha256").asText()).isEqualTo(before);

    Files.writeString(root.resolve("file"), "other text");
    begin();
    assertThat(read().at("/source/sha256").asText()).isNotEqualTo(before);
  }

  private static void failWith(RuntimeException failure) {
    throw failure;
  }

  private static Rail probe(Runnable body) {
    return new Rail() {
      @Override
      public String name() {
        return "probe";
      }

      @Override
      public void run(RailRun run) {
        body.run();
      }
    };
  }

  private String outcome() throws IOException {
    return read().get("outcome").asText();
  }

  private JsonNode read() throws IOException {
    return new ObjectMapper().readTree(root.resolve("target/evidence/probe.json").toFile());
  }
}
