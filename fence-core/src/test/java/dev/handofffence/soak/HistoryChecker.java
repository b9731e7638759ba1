package dev.handofffence.soak;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Looks through all that a database remembers: Works, permits, history, handoffs and effects. */
final class HistoryChecker {

  private final UnaryOperator<String> store;

  /**
   * Makes a checker.
   *
   * @param store answers a query with the first column of its first row, and sees every scope
   */
  HistoryChecker(UnaryOperator<String> store) {
    this.store = store;
  }

  /** Returns what does not hold, with the number of Works and the history of one. */
  List<String> findings() {
    return Arrays.stream(Invariant.values())
        .map(this::finding)
        .filter(finding -> !finding.isEmpty())
        .toList();
  }

  private String finding(Invariant invariant) {
    String broken = "(" + invariant.violations() + ") AS broken";
    String works = store.apply("SELECT count(DISTINCT work_id) FROM " + broken);
    if (works.equals("0")) {
      return "";
    }
    String one = store.apply("SELECT min(work_id::text) FROM " + broken);
    return "%s: %s Works, such as %s with %s".formatted(invariant, works, one, history(one));
  }

  private String history(String work) {
    return store.apply(
        """
        SELECT string_agg(concat_ws(' ', revision, event, code, state || '/' || attempt), ', '
                          ORDER BY revision, recorded_at)
        FROM durable.work_history WHERE work_id = '%s'
        """
            .formatted(work));
  }
}
