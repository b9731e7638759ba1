package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The files that a rail builds: everything but what builds and tools have left. */
final class SourceTree {

  /** Results and private matters, at any depth. */
  private static final Set<String> LEFT_OUT = Set.of("target", ".git", ".idea", ".vscode");

  private final Path root;

  SourceTree(Path root) {
    this.root = root;
  }

  /**
   * Which source it was.
   *
   * @param commit what git has checked out; null where there is no git
   * @param tree git's name of the checked-out tree
   * @param dirty whether the files differ from it
   * @param sha256 over names and bytes of the files that were built, dirty or not
   */
  record Identity(
      @Nullable String commit, @Nullable String tree, @Nullable Boolean dirty, String sha256) {}

  /** Copies the files, so that a rail neither sees nor spoils the results of other builds. */
  void copyTo(Path target) throws IOException {
    for (Map.Entry<String, Path> file : files().entrySet()) {
      Path copy = target.resolve(file.getKey());
      Files.createDirectories(copy.getParent());
      Files.copy(file.getValue(), copy);
    }
  }

  Identity identity() throws IOException {
    MessageDigest digest = Sha256.digest();
    for (Map.Entry<String, Path> file : files().entrySet()) {
      digest.update((file.getKey() + '\0').getBytes(java.nio.charset.StandardCharsets.UTF_8));
      digest.update(Sha256.of(file.getValue()).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    String status = git("status", "--porcelain");
    return new Identity(
        git("rev-parse", "HEAD"),
        git("rev-parse", "HEAD^{tree}"),
        status == null ? null : !status.isEmpty(),
        Sha256.hex(digest));
  }

  private @Nullable String git(String... arguments) {
    return Processes.output(root, "git", arguments);
  }

  private Map<String, Path> files() throws IOException {
    Map<String, Path> files = new TreeMap<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean isLeftOut = LEFT_OUT.contains(folder.getFileName().toString());
            return isLeftOut && !folder.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (!LEFT_OUT.contains(file.getFileName().toString())) {
              files.put(root.relativize(file).toString().replace('\\', '/'), file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
