package dev.handofffence.rails;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Reads what the JVMs of tests wrote about their server; PostgresServer says which keys. */
final class ServerFacts {

  private ServerFacts() {}

  /** Returns the facts of each server once, however many JVMs used it. */
  static List<Map<String, String>> in(Path folder) throws IOException {
    List<Map<String, String>> servers = new ArrayList<>();
    if (Files.exists(folder)) {
      for (Path file : Folders.files(folder, path -> path.toString().endsWith(".properties"))) {
        Map<String, String> server = read(file);
        if (!servers.contains(server)) {
          servers.add(server);
        }
      }
    }
    return servers;
  }

  private static Map<String, String> read(Path file) throws IOException {
    Properties facts = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      facts.load(reader);
    }
    Map<String, String> sorted = new TreeMap<>();
    facts.stringPropertyNames().forEach(name -> sorted.put(name, facts.getProperty(name)));
    return sorted;
  }
}
