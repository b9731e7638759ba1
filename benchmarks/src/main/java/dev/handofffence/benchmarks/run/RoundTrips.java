package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.contender.Entry;
import dev.handofffence.benchmarks.server.Database;
import dev.handofffence.testing.WireProxy;
import java.sql.SQLException;

/** Counts round trips in a drain of its own, because counting slows it down. */
final class RoundTrips {

  private RoundTrips() {}

  static double perJob(Bench bench, Entry entry, int jobs) throws SQLException {
    Database server = bench.server().maintenance();
    try (WireProxy proxy = WireProxy.start(server.host(), server.port())) {
      DrainFigures drained =
          bench.drain(entry, 8, jobs, database -> database.through(proxy.port()));
      long trips = proxy.counts().roundTrips() - drained.run().polls();
      return (double) trips / drained.run().jobs();
    }
  }
}
