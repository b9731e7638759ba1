package dev.handofffence.documents;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A guarantee without its test is a rumour: every test that a page names must exist. */
class NamedTestsTest {

  private static final Pattern NAMED = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

  private static final Map<String, Path> TESTS =
      Stream.of("fence-core", "consumer-it")
          .flatMap(module -> testFiles(Page.REPOSITORY.resolve(module).resolve("src/test/java")))
          .collect(toMap(file -> file.getFileName().toString(), file -> file, (a, b) -> a));

  static List<Page> pages() {
    return Page.all();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyNamedTest_exists(Page page) throws IOException {
    for (MatchResult test : NAMED.matcher(page.text()).results().toList()) {
      assertThat(TESTS).containsKey(test.group(1) + ".java");
      if (test.group(2) != null) {
        assertThat(Files.readString(TESTS.get(test.group(1) + ".java")))
            .contains("void " + test.group(2) + "(");
      }
    }
  }

  @Test
  void guarantees_nameTheirTests() {
    Page guarantees = Page.of(Page.REPOSITORY.resolve("docs/guarantees.md"));

    assertThat(NAMED.matcher(guarantees.text()).results()).hasSizeGreaterThan(30);
  }

  private static Stream<Path> testFiles(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
