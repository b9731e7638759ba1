package dev.handofffence.documents;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A guarantee without its test is a rumour: every test that the page names must exist. */
class GuaranteesPageTest {

  private static final Path PAGE = Path.of("..", "docs", "guarantees.md");
  private static final Path TESTS = Path.of("src", "test", "java");
  private static final Pattern NAMED = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

  @Test
  void everyNamedTest_exists() throws IOException {
    List<MatchResult> named = NAMED.matcher(Files.readString(PAGE)).results().toList();
    assertThat(named).isNotEmpty();
    Set<String> files = testFiles().stream().map(p -> p.getFileName().toString()).collect(toSet());
    for (MatchResult test : named) {
      assertThat(files).contains(test.group(1) + ".java");
      if (test.group(2) != null) {
        assertThat(source(test.group(1))).contains("void " + test.group(2) + "(");
      }
    }
  }

  private static String source(String testClass) throws IOException {
    Path file =
        testFiles().stream().filter(p -> p.endsWith(testClass + ".java")).findFirst().orElseThrow();
    return Files.readString(file);
  }

  private static List<Path> testFiles() throws IOException {
    try (Stream<Path> files = Files.walk(TESTS)) {
      return files.filter(p -> p.toString().endsWith(".java")).toList();
    }
  }
}
