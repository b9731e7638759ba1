package dev.handofffence.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.documents.Page.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Follows docs/getting-started.md: writes its files, runs its commands, and compares what they say.
 */
final class GettingStartedPage {

  /** Runs one command as the reader would. */
  @FunctionalInterface
  interface Shell {
    String run(String command) throws Exception;
  }

  private final List<Block> blocks;

  /**
   * Reads the page.
   *
   * @param change what must be different for this reader, such as names that are taken
   */
  GettingStartedPage(UnaryOperator<String> change) {
    Page page = Page.of(Page.REPOSITORY.resolve("docs/getting-started.md"));
    this.blocks = new Page(page.name(), change.apply(page.text())).blocks();
  }

  /** Writes every block that names a file; returns the names. */
  List<String> writeFiles(Path folder) throws IOException {
    List<String> written = new ArrayList<>();
    for (Block block : blocks) {
      if (!block.file().isEmpty()) {
        Path file = folder.resolve(block.file());
        Files.createDirectories(file.getParent());
        Files.writeString(file, block.text());
        written.add(block.file());
      }
    }
    return written;
  }

  /** Runs the commands in their order; a text behind them is what the last one must have said. */
  int runCommands(Shell shell) throws Exception {
    int commands = 0;
    String said = "";
    for (Block block : blocks) {
      if (block.language().equals("sh")) {
        for (String command : block.text().lines().toList()) {
          said = shell.run(command);
          commands++;
        }
      } else if (block.language().equals("text")) {
        assertThat(said.lines().map(String::strip))
            .containsSubsequence(block.text().lines().toList());
      }
    }
    return commands;
  }

  Block file(String name) {
    return blocks.stream().filter(block -> block.file().equals(name)).findFirst().orElseThrow();
  }
}
