package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Applications that know the library from a repository alone. */
final class Consumers {

  private static final String MAIN = "src/main/java/dev/handofffence/consumer/";
  private static final String TEST = "src/test/java/dev/handofffence/consumer/";

  private final RailRun run;
  private final Path application;
  private final Path packed;
  private final Path generator;
  private final List<String> arguments = new ArrayList<>();

  Consumers(RailRun run, Publication publication, Versions versions) {
    Path source = publication.source();
    Repository repository = publication.repository();
    this.run = run;
    this.application = source.resolve("consumer-it");
    this.packed = source.resolve("rails/src/packed");
    this.generator = source.resolve("fence-generated/src/codegen/migrated-schema.xml");
    arguments.addAll(versions.asArguments());
    arguments.add("-Dmaven.repo.local=" + repository.folder());
    arguments.add("-Dfence.version=" + repository.version());
    arguments.add("-Dfence.facts=" + run.facts());
  }

  /**
   * Builds and tests the application of consumer-it.
   *
   * @param modular as a module, or else on the class path
   * @param more arguments, which beat the usual versions
   */
  void application(String name, boolean modular, String... more) throws IOException {
    Path project = run.path(name.replaceAll("\\W+", "-"));
    Folders.copy(application.resolve("src"), project.resolve("src"));
    Folders.copy(packed.resolve("server"), project);
    Folders.copy(packed.resolve("application"), project);
    // Not of the library: the recipe by which the application generates types of its own schema.
    Files.copy(generator, project.resolve("src/codegen/migrated-schema.xml"));
    if (!modular) {
      Files.delete(project.resolve("src/main/java/module-info.java"));
      Folders.delete(project.resolve(TEST + "quickstart")); // once is enough
    }
    List<String> all = new ArrayList<>(List.of("-Dfence.modular=" + modular));
    all.addAll(List.of(more));
    verify("consumer " + name, project, all.toArray(String[]::new));
  }

  /** Builds and tests an application that has no jOOQ in its code. */
  void plain() throws IOException {
    Path project = run.path("plain");
    Folders.copy(packed.resolve("server"), project);
    Folders.copy(packed.resolve("plain"), project);
    Folders.copy(application.resolve("src/main/resources"), project.resolve("src/main/resources"));
    for (String shared :
        List.of("Receipt", "ReceiptSent", "ReceiptProvider", "ReceiptWork", "ConsumerSchema")) {
      share(project, MAIN + shared + ".java");
    }
    share(project, TEST + "ConsumerDatabase.java");
    verify("consumer plain", project);
  }

  private void share(Path project, String file) throws IOException {
    Files.copy(application.resolve(file), project.resolve(file));
  }

  private void verify(String step, Path project, String... more) throws IOException {
    try {
      run.maven(step, project, arguments("verify", more));
    } finally {
      run.gather(project);
    }
  }

  /** Returns the folder with what is special about packed consumers. */
  Path packed() {
    return packed;
  }

  List<String> arguments(String goal, String... more) {
    return Stream.of(Stream.of(goal), arguments.stream(), Stream.of(more))
        .flatMap(part -> part)
        .toList();
  }
}
