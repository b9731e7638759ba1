package dev.handofffence.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.documents.Page.Block;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever Java a page shows compiles against the library as it is.
 *
 * <p>Fragments stand in a class that has the names which the pages take for granted, {@code
 * snippet.java.txt}. A block that is a file is the getting-started page's own affair.
 */
class JavaSnippetsTest {

  @TempDir Path classes;

  static List<Page> pagesWithFragments() {
    return Page.all().stream().filter(page -> !fragments(page).isEmpty()).toList();
  }

  @ParameterizedTest
  @MethodSource("pagesWithFragments")
  void everyFragment_compiles(Page page) throws IOException {
    for (Block fragment : fragments(page)) {
      List<String> asMembers = compile(fragment, "//MEMBERS");
      List<String> asStatements =
          asMembers.isEmpty() ? asMembers : compile(fragment, "//STATEMENTS");
      assertThat(asStatements)
          .as(
              () ->
                  page + ": no members of a class: " + asMembers + ", nor statements:\n" + fragment)
          .isEmpty();
    }
  }

  private List<String> compile(Block fragment, String place) throws IOException {
    String source = surroundings().replace(place, fragment.text());
    return SourceFiles.compile(Map.of("Snippet", source), classes);
  }

  private static List<Block> fragments(Page page) {
    return page.blocks("java").stream().filter(block -> block.file().isEmpty()).toList();
  }

  private static String surroundings() throws IOException {
    try (InputStream in =
        JavaSnippetsTest.class.getResourceAsStream("/documents/snippet.java.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
