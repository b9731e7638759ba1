package dev.handofffence.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.handoff.HandoffFence;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Nobody changes the API without seeing it. Until a release exists that japicmp could compare with,
 * the text beside this test is what the API is compared with.
 */
class PublicApiTest {

  private static final Path BASELINE = Path.of("src/test/resources/public-api.txt");
  private static final Path NOW = Path.of("target/public-api.txt");

  @Test
  void api_isThatOfTheBaseline() throws IOException, URISyntaxException {
    Path classes =
        Path.of(HandoffFence.class.getProtectionDomain().getCodeSource().getLocation().toURI());

    String now =
        new PublicApi(classes)
            .text(
                "dev.handofffence",
                "dev.handofffence.handoff",
                "dev.handofffence.runtime",
                "dev.handofffence.work");
    Files.writeString(NOW, now);

    assertThat(now)
        .as("The API has changed. If it was meant to, copy fence-core/%s to %s", NOW, BASELINE)
        .isEqualTo(Files.readString(BASELINE));
  }
}
