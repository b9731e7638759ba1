package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The modules that are published. */
final class Published {

  /** Those with a jar. */
  static final List<String> LIBRARIES = List.of("fence-generated", "fence-core");

  /** That of the versions that belong together. */
  static final String BOM = "handoff-fence-bom";

  private Published() {}

  /** Returns the jars that a build has packed below the root of a source tree. */
  static Path[] jars(Path source) throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String library : LIBRARIES) {
      Path target = source.resolve(library).resolve("target");
      jars.addAll(Folders.files(target, file -> isJarIn(target, file)));
    }
    return jars.toArray(Path[]::new);
  }

  private static boolean isJarIn(Path target, Path file) {
    return target.relativize(file).getNameCount() == 1 && file.toString().endsWith(".jar");
  }
}
