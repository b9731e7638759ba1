package dev.handofffence.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.benchmarks.contender.Entry;
import org.junit.jupiter.api.Test;

class TargetsTest {

  private final Results results = new Results();

  @Test
  void drain_mustBeTwiceTheBestPeers() {
    results.add(Entry.BEST_PEER, Metric.DRAIN_8, 1_000);
    results.add(Entry.FENCE, Metric.DRAIN_8, 2_000);
    assertThat(verdict("drain, 8 workers, to the best peer")).isEqualTo("met");
  }

  @Test
  void drain_lessIsMissed() {
    results.add(Entry.BEST_PEER, Metric.DRAIN_8, 1_000);
    results.add(Entry.FENCE, Metric.DRAIN_8, 1_999);
    assertThat(verdict("drain, 8 workers, to the best peer")).isEqualTo("MISSED");
  }

  @Test
  void wal_countsFromAcceptToEnd() {
    results.add(Entry.FENCE, Metric.ACCEPT_WAL, 1_600);
    results.add(Entry.FENCE, Metric.DRAIN_WAL, 1_600);
    assertThat(verdict("WAL bytes per job from accept to end, without full-page images"))
        .isEqualTo("MISSED");
  }

  @Test
  void unmeasured_isNotMet() {
    assertThat(new Targets(results).all()).extracting(Target::verdict).containsOnly("not measured");
  }

  private String verdict(String title) {
    return new Targets(results)
        .all().stream()
            .filter(target -> target.title().equals(title))
            .findFirst()
            .orElseThrow()
            .verdict();
  }
}
