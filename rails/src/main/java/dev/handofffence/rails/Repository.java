package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A repository in a folder, which holds one published version and later what its consumers need of
 * others.
 *
 * @param folder is made by the deployment
 * @param version the published one
 */
record Repository(Path folder, String version) {

  private static final String GROUP = "dev/handofffence";

  private static final List<String> OF_A_LIBRARY =
      List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json");

  /** Returns the files of the published version. */
  Path[] artifacts() throws IOException {
    return Folders.files(folder.resolve(GROUP), this::isArtifact).toArray(Path[]::new);
  }

  private boolean isArtifact(Path file) {
    String path = file.toString().replace('\\', '/');
    return path.contains('/' + version + '/') && path.matches(".*\\.(pom|jar|json)");
  }

  /** Fails where a file is missing, a pom is not fit for it, or a module is there unasked. */
  void requireOnlyWhatIsPublished() throws IOException {
    Set<String> expected = new TreeSet<>(Published.LIBRARIES);
    expected.add(Published.BOM);
    Set<String> modules = modules();
    if (!modules.equals(expected)) {
      throw new RailException("the repository has " + modules + " of this group, not " + expected);
    }
    for (String library : Published.LIBRARIES) {
      OF_A_LIBRARY.forEach(suffix -> require(file(library, suffix)));
      new PublishedPom(file(library, ".pom")).require();
    }
    new PublishedPom(file(Published.BOM, ".pom")).require();
  }

  private Set<String> modules() throws IOException {
    try (Stream<Path> modules = Files.list(folder.resolve(GROUP))) {
      return new TreeSet<>(modules.map(module -> module.getFileName().toString()).toList());
    }
  }

  private Path file(String module, String suffix) {
    return folder
        .resolve(GROUP)
        .resolve(module)
        .resolve(version)
        .resolve(module + '-' + version + suffix);
  }

  private static void require(Path file) {
    if (!Files.exists(file)) {
      throw new RailException("not published: " + file.getFileName());
    }
  }
}
