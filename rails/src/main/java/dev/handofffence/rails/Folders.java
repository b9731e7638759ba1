package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Copies, lists and deletes folders. */
final class Folders {

  private Folders() {}

  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    for (Path path : paths(folder, path -> true)) {
      Files.delete(path);
    }
  }

  /** Copies a file, or what is in a folder, over what is there. */
  static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from, path -> true)) {
      Path target = to.resolve(from.relativize(file).toString());
      Files.createDirectories(target.getParent());
      Files.copy(file, target, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Returns the files at any depth, in the order of their names. */
  static List<Path> files(Path folder, Predicate<Path> wanted) throws IOException {
    return paths(folder, wanted.and(Files::isRegularFile)).stream().sorted().toList();
  }

  private static List<Path> paths(Path folder, Predicate<Path> wanted) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(wanted).sorted(Comparator.reverseOrder()).toList();
    }
  }
}
