package dev.handofffence.internal.pump;

import dev.handofffence.ScopeId;
import dev.handofffence.internal.claim.Candidate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Chooses among the rows that discovery found, one of each scope in turn. */
final class ScopeInterleave {

  private ScopeInterleave() {}

  /** Returns up to so many; scopes in the order in which discovery named them first. */
  static List<Candidate> choose(List<Candidate> found, int most) {
    Map<ScopeId, Deque<Candidate>> scopes = new LinkedHashMap<>();
    found.forEach(c -> scopes.computeIfAbsent(c.scope(), s -> new ArrayDeque<>()).add(c));
    List<Candidate> chosen = new ArrayList<>();
    while (chosen.size() < most && !scopes.isEmpty()) {
      takeOneOfEach(scopes, chosen, most);
    }
    return chosen;
  }

  private static void takeOneOfEach(
      Map<ScopeId, Deque<Candidate>> scopes, List<Candidate> chosen, int most) {
    for (Deque<Candidate> candidates : List.copyOf(scopes.values())) {
      if (chosen.size() < most) {
        chosen.add(candidates.remove());
      }
    }
    scopes.values().removeIf(Deque::isEmpty);
  }
}
