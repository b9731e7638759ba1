package dev.handofffence.benchmarks.run;

import dev.handofffence.benchmarks.contender.Entry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * How long and how often is measured.
 *
 * @param rounds every contender is measured once per round
 * @param phase how long one measurement takes, about
 * @param warmUp how long a contender runs before its first measurement, about
 * @param pickUps jobs of one measurement of pick-up
 * @param tripJobs jobs of the drain whose round trips are counted
 * @param growth numbers of finished Works to start from
 * @param pending number of Works that wait in {@code pendingScopes} scopes
 * @param pendingScopes see {@code pending}
 * @param scopes number of tenants that our Works and seeds are spread over
 * @param entries who takes part
 * @param output where the report goes
 */
record Settings(
    int rounds,
    Duration phase,
    Duration warmUp,
    int pickUps,
    int tripJobs,
    List<Long> growth,
    long pending,
    int pendingScopes,
    int scopes,
    List<Entry> entries,
    Path output) {

  /** Threads that accept. */
  static final int ACCEPTORS = 8;

  /** Jobs per batch. */
  static final int BATCH = 500;

  /** How long a contender may take before it counts as stuck. */
  static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Reads the system properties {@code bench.*}; {@code bench.quick} only shows that it works. */
  static Settings read() {
    boolean quick = Boolean.getBoolean("bench.quick");
    return new Settings(
        Integer.parseInt(property("rounds", quick ? "1" : "3")),
        Duration.ofMillis(Long.parseLong(property("millis", quick ? "250" : "5000"))),
        Duration.ofMillis(Long.parseLong(property("warmUpMillis", quick ? "250" : "8000"))),
        Integer.parseInt(property("pickUps", quick ? "10" : "200")),
        quick ? 200 : 2_000,
        Arrays.stream(property("growth", quick ? "0,1000" : "0,1000000,10000000").split(","))
            .map(Long::valueOf)
            .toList(),
        Long.parseLong(property("pending", quick ? "2000" : "1000000")),
        Integer.parseInt(property("pendingScopes", quick ? "20" : "1000")),
        Integer.parseInt(property("scopes", "10")),
        entries(property("contenders", "")),
        Path.of(property("output", "target/benchmarks")));
  }

  private static String property(String name, String otherwise) {
    String value = System.getProperty("bench." + name, "");
    return value.isBlank() ? otherwise : value;
  }

  private static List<Entry> entries(String keys) {
    return keys.isBlank()
        ? List.of(Entry.values())
        : Arrays.stream(keys.split(",")).map(String::trim).map(Entry::of).toList();
  }

  /** Keeps those that take part. */
  List<Entry> only(List<Entry> wanted) {
    return wanted.stream().filter(entries::contains).toList();
  }
}
