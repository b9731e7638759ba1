package dev.handofffence.internal.pump;

import dev.handofffence.internal.claim.Candidate;
import dev.handofffence.internal.claim.Discovery;
import dev.handofffence.internal.claim.Lane;
import dev.handofffence.internal.claim.LaneCursor;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Shares the places between what goes first by priority and due time, and the lanes whose turn it
 * is: half for each, and a place that one half does not need is the other's. Remembers over all
 * passes of a runtime whose turn it was, so that a single place is shared too. Thread-safe.
 */
final class Turns {

  private LaneCursor cursor;

  /** Who gets the odd place. */
  private boolean lanesAreNext;

  Turns(int contracts) {
    this.cursor = LaneCursor.start(contracts);
  }

  synchronized LaneCursor cursor() {
    return cursor;
  }

  /**
   * Chooses up to so many; lanes that get a place, or have nothing to do with it, had their turn.
   */
  synchronized List<Candidate> choose(Discovery found, int places) {
    if (found.lanes().isEmpty()) {
      return ScopeInterleave.choose(found.first(), places);
    }
    Set<Candidate> chosen = new LinkedHashSet<>();
    takeTurns(found.lanes().iterator(), chosen, shareOfLanes(places));
    fill(chosen, ScopeInterleave.choose(found.first(), found.first().size()), places);
    found.lanes().forEach(lane -> fill(chosen, lane.candidates(), places));
    return List.copyOf(chosen);
  }

  private int shareOfLanes(int places) {
    if (places % 2 == 0) {
      return places / 2;
    }
    lanesAreNext = !lanesAreNext;
    return lanesAreNext ? places / 2 : places / 2 + 1;
  }

  private void takeTurns(Iterator<Lane> lanes, Set<Candidate> chosen, int share) {
    while (chosen.size() < share && lanes.hasNext()) {
      Lane lane = lanes.next();
      lane.candidates().stream()
          .filter(c -> !chosen.contains(c))
          .findFirst()
          .ifPresent(chosen::add);
      cursor = cursor.behind(lane);
    }
  }

  private static void fill(Set<Candidate> chosen, List<Candidate> from, int places) {
    from.stream()
        .filter(c -> !chosen.contains(c))
        .limit(Math.max(0, places - chosen.size()))
        .toList()
        .forEach(chosen::add);
  }
}
