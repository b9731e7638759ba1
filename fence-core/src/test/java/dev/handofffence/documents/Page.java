package dev.handofffence.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One page of the documentation, with its code blocks. */
record Page(String name, String text) {

  static final Path REPOSITORY = Path.of("..");

  private static final Pattern BLOCK =
      Pattern.compile("^```(\\w*) ?([^\n]*)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern INLINE = Pattern.compile("(?<!`)`([^`\n]+)`(?!`)");

  /**
   * A fenced block.
   *
   * @param language the word behind the fence; empty where there is none
   * @param file the rest of that line: the file that the block is
   */
  record Block(String language, String file, String text) {}

  /** Returns the pages for people, wherever they are in the repository. */
  static List<Page> all() {
    try (Stream<Path> docs = Files.walk(REPOSITORY.resolve("docs"))) {
      Stream<Path> top = Stream.of("README.md", "CONTRIBUTING.md").map(REPOSITORY::resolve);
      return Stream.concat(top, docs.filter(file -> file.toString().endsWith(".md")).sorted())
          .map(Page::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Page of(Path file) {
    try {
      return new Page(REPOSITORY.relativize(file).toString(), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Block> blocks() {
    return BLOCK
        .matcher(text)
        .results()
        .map(found -> new Block(found.group(1), found.group(2), found.group(3)))
        .toList();
  }

  List<Block> blocks(String language) {
    return blocks().stream().filter(block -> block.language().equals(language)).toList();
  }

  /** Returns the lines that are to be typed: those of shell blocks, and code within the text. */
  List<String> commands() {
    List<String> commands = new ArrayList<>();
    blocks().stream()
        .filter(block -> block.language().isEmpty() || block.language().equals("sh"))
        .forEach(block -> commands.addAll(block.text().lines().toList()));
    Matcher inline = INLINE.matcher(BLOCK.matcher(text).replaceAll(""));
    inline.results().forEach(found -> commands.add(found.group(1)));
    return commands;
  }

  @Override
  public String toString() {
    return name;
  }
}
