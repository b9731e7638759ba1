package dev.handofffence.internal.claim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The lane that had the last turn.
 *
 * @param contract its position among the contracts, as in {@link Lane}
 * @param scopes the scope that was last for each contract; empty before the first
 */
public record LaneCursor(int contract, List<String> scopes) {

  public LaneCursor {
    scopes = List.copyOf(scopes);
  }

  /** Returns the cursor before the first turn. */
  public static LaneCursor start(int contracts) {
    return new LaneCursor(0, Collections.nCopies(contracts, ""));
  }

  /** Returns the cursor behind this lane. */
  public LaneCursor behind(Lane lane) {
    List<String> reached = new ArrayList<>(scopes);
    if (lane.contract() > 0) {
      reached.set(lane.contract() - 1, lane.scope());
    }
    return new LaneCursor(lane.contract(), reached);
  }
}
