package dev.handofffence.documents;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The page docs/diagnostics.md is the catalog, word for word. Write it anew with {@code
 * -Dfence.docs.write=true}.
 */
class DiagnosticsPageTest {

  private static final Path PAGE = Path.of("..", "docs", "diagnostics.md");

  @Test
  void page_isTheCatalog() throws IOException {
    if (Boolean.getBoolean("fence.docs.write")) {
      Files.writeString(PAGE, page());
    }
    assertThat(PAGE).content().isEqualTo(page());
  }

  @Test
  void codes_areUnique() {
    assertThat(Arrays.stream(Problem.values()).map(Problem::code)).doesNotHaveDuplicates();
  }

  @Test
  void links_leadToTheirEntry() {
    for (Problem problem : Problem.values()) {
      assertThat(problem.docs().getPath()).isEqualTo("docs/diagnostics.md");
      assertThat(page()).contains("<a id=\"" + problem.docs().getFragment() + "\"></a>");
    }
  }

  private static String page() {
    return """
        # Diagnostics

        Every problem that the library names has a fixed code and fixed texts. They hold no payload, identifier, SQL or
        server text, so they can be logged and shown as they are. This page is generated from `dev.handofffence.Problem`.

        """
        + Arrays.stream(Problem.values()).map(DiagnosticsPageTest::entry).collect(joining("\n"));
  }

  private static String entry(Problem problem) {
    return """
        <a id="%s"></a>

        ## %s %s

        `Problem.%s`. %s

        **Fix:** %s
        """
        .formatted(
            problem.code().toLowerCase(Locale.ROOT),
            problem.code(),
            problem.problem(),
            problem.name(),
            problem.cause(),
            problem.fix());
  }
}
