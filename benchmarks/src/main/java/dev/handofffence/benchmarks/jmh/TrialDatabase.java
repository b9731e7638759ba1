package dev.handofffence.benchmarks.jmh;

import dev.handofffence.benchmarks.server.BenchmarkServer;
import dev.handofffence.benchmarks.server.Database;

/** How the process of a trial learns which database to use: its name in a system property. */
final class TrialDatabase {

  private static final String HOST = "bench.trial.host";
  private static final String PORT = "bench.trial.port";
  private static final String NAME = "bench.trial.database";

  private TrialDatabase() {}

  static String[] arguments(Database database) {
    return new String[] {
      "-D" + HOST + "=" + database.host(),
      "-D" + PORT + "=" + database.port(),
      "-D" + NAME + "=" + database.name(),
      "-Dorg.jooq.no-logo=true",
      "-Dorg.jooq.no-tips=true"
    };
  }

  /** User and password come from the environment, as in the process that started this one. */
  static Database read() {
    return BenchmarkServer.credentials(
        System.getProperty(HOST, "localhost"),
        Integer.getInteger(PORT, 5432),
        System.getProperty(NAME, "postgres"));
  }
}
