package dev.handofffence.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.benchmarks.contender.Entry;
import java.util.List;
import org.junit.jupiter.api.Test;

class GridTargetsTest {

  private final Grid grid = new Grid("drain");

  @Test
  void growth_mayCostATenth() {
    grid.add(Entry.FENCE, "none", 1_000);
    grid.add(Entry.FENCE, "many", 900);
    assertThat(GridTargets.growth(grid, "none", "many").verdict()).isEqualTo("met");
  }

  @Test
  void growth_thatCostsMoreIsMissed() {
    grid.add(Entry.FENCE, "none", 1_000);
    grid.add(Entry.FENCE, "many", 899);
    assertThat(GridTargets.growth(grid, "none", "many").verdict()).isEqualTo("MISSED");
  }

  @Test
  void growth_ofOthersIsNotOurs() {
    grid.add(Entry.FENCE, "none", 1_000);
    grid.add(Entry.FLOOR, "none", 1_000);
    grid.add(Entry.FLOOR, "many", 1_000);
    assertThat(GridTargets.growth(grid, "none", "many").verdict()).isEqualTo("not measured");
  }

  @Test
  void heldXmin_comparesWhatIsKeptAndNotTheRates() {
    add(Entry.BEST_PEER, 1_000, 500);
    add(Entry.FENCE, 100, 50);
    assertThat(heldXmin().verdict()).isEqualTo("met");
  }

  @Test
  void heldXmin_thatCostsUsMoreIsMissed() {
    add(Entry.BEST_PEER, 1_000, 500);
    add(Entry.FENCE, 4_000, 1_999);
    assertThat(heldXmin().verdict()).isEqualTo("MISSED");
  }

  @Test
  void heldXmin_withoutThePeerIsNotMeasured() {
    add(Entry.FENCE, 4_000, 4_000);
    assertThat(heldXmin().verdict()).isEqualTo("not measured");
  }

  @Test
  void table_namesTheVerdict() {
    add(Entry.BEST_PEER, 1_000, 500);
    add(Entry.FENCE, 100, 100);
    assertThat(Target.table(List.of(heldXmin()))).contains("at least 1.00", "2.00", "met");
  }

  private void add(Entry entry, double cleanedUp, double held) {
    grid.add(entry, "cleaned up", cleanedUp);
    grid.add(entry, "held", held);
  }

  private Target heldXmin() {
    return GridTargets.heldXmin(grid, "cleaned up", "held");
  }
}
