package dev.handofffence.documents;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every Maven command of a page has profiles, goals, modules, properties and test classes that
 * exist, and every link between pages leads somewhere.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandsTest {

  private static final Set<String> PHASES =
      Set.of(
          "clean", "compile", "generate-sources", "test", "package", "verify", "install", "deploy");

  /** Of Maven and its plugins, or properties of the getting-started page's own project. */
  private static final Set<String> USUAL_PROPERTIES =
      Set.of("skipTests", "test", "surefire.failIfNoSpecifiedTests", "exec.mainClass", "exec.args");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]*)(?:#([^)]*))?\\)");

  private final String poms = read("pom.xml");
  private final String sources = read(".java");

  static List<Page> pages() {
    return Page.all();
  }

  @Test
  void pages_haveCommands() {
    assertThat(pages().stream().flatMap(page -> mavenCommands(page).stream()))
        .hasSizeGreaterThan(5);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyMavenCommand_canBeRun(Page page) {
    for (String command : mavenCommands(page)) {
      for (String word : command.split("\\s+", -1)) {
        check(word, page + ": " + command);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLink_leadsSomewhere(Page page) {
    Path at = Page.REPOSITORY.resolve(page.name());
    LINK.matcher(page.text())
        .results()
        .filter(link -> !link.group(1).contains("://"))
        .forEach(
            link -> {
              Path target = link.group(1).isEmpty() ? at : at.resolveSibling(link.group(1));
              assertThat(target).as("%s: %s", page, link.group()).exists();
              if (link.group(2) != null) {
                assertThat(anchors(Page.of(target.normalize())))
                    .as("%s: %s", page, link.group())
                    .contains(link.group(2));
              }
            });
  }

  private void check(String word, String command) {
    if (word.startsWith("-P")) {
      for (String profile : word.substring(2).split(",", -1)) {
        assertThat(poms).as(command).contains("<id>" + profile + "</id>");
      }
    } else if (word.startsWith("-D")) {
      checkProperty(word.substring(2), command);
    } else if (word.contains(":")) {
      String plugin = word.substring(0, word.indexOf(':')) + "-maven-plugin";
      assertThat(poms).as(command).contains("<artifactId>" + plugin + "</artifactId>");
    } else if (word.matches("[a-z][a-z-]*") && !Files.isDirectory(Page.REPOSITORY.resolve(word))) {
      assertThat(PHASES).as(command).contains(word);
    }
  }

  private void checkProperty(String property, String command) {
    String name = property.replaceAll("=.*", "");
    if (name.equals("test")) {
      assertThat(sources).as(command).contains("class " + property.substring("test=".length()));
    } else if (!USUAL_PROPERTIES.contains(name)) {
      assertThat(poms + sources).as(command).contains(name);
    }
  }

  private static List<String> mavenCommands(Page page) {
    return page.commands().stream()
        .filter(command -> command.matches("(\\w+=\\S+ )*mvn .*"))
        .map(command -> command.replaceAll("\\s+#.*", "").replaceAll(".*?\\bmvn ", ""))
        .toList();
  }

  /** Returns the names that links to parts of a page use: explicit ones, and those of headings. */
  private static Set<String> anchors(Page page) {
    Stream<String> headings =
        page.text()
            .lines()
            .filter(line -> line.startsWith("#"))
            .map(line -> line.replaceFirst("#+ ", "").toLowerCase(java.util.Locale.ROOT))
            .map(line -> line.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'));
    Stream<String> explicit =
        Pattern.compile("<a id=\"([^\"]+)\">").matcher(page.text()).results().map(r -> r.group(1));
    return Stream.concat(headings, explicit).collect(toSet());
  }

  private static String read(String suffix) {
    try (Stream<Path> files = Files.walk(Page.REPOSITORY)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .filter(file -> Arrays.stream(skipped()).noneMatch(file.toString()::contains))
          .map(CommandsTest::text)
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String[] skipped() {
    return new String[] {"/target/", "/.git/"};
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
