package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Builds what is published twice, in two folders and two time zones, and compares every byte. */
record ReproducibleRail() implements Rail {

  private static final String VERSION = "0.0.0-reproducible";

  @Override
  public String name() {
    return "reproducible";
  }

  @Override
  public void run(RailRun run) throws IOException {
    Map<String, String> first = build(run, "first", "Pacific/Auckland");
    Map<String, String> second = build(run, "second", "America/St_Johns");
    first.entrySet().removeAll(second.entrySet());
    if (!first.isEmpty()) {
      throw new RailException("not the same bytes: " + first.keySet());
    }
  }

  private static Map<String, String> build(RailRun run, String name, String zone)
      throws IOException {
    run.setVariable("TZ", zone);
    Publication built = Publication.publish(run, name, name + "-repository", VERSION);
    Map<String, String> digests = new TreeMap<>();
    for (Path artifact : built.repository().artifacts()) {
      digests.put(artifact.getFileName().toString(), Sha256.of(artifact));
    }
    return digests;
  }
}
