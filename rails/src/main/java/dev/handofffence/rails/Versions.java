package dev.handofffence.rails;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/** The versions that the build uses, as Maven has written them into a resource of this module. */
final class Versions {

  private final Properties properties = new Properties();

  private Versions() {}

  static Versions read() {
    Versions versions = new Versions();
    try (InputStream in = Versions.class.getResourceAsStream("/versions.properties")) {
      versions.properties.load(Objects.requireNonNull(in, "versions.properties"));
      return versions;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String get(String name) {
    return Objects.requireNonNull(properties.getProperty(name), name);
  }

  /** Returns them as properties of a Maven call. */
  List<String> asArguments() {
    return properties.stringPropertyNames().stream()
        .sorted()
        .map(name -> "-D" + name + '=' + get(name))
        .toList();
  }
}
