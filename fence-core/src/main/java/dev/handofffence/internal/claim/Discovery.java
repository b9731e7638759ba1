package dev.handofffence.internal.claim;

import java.util.List;
import java.util.function.Predicate;

/**
 * What one look for Work found.
 *
 * @param first what is due, by priority and then by due time
 * @param lanes whose turn it is, in turn; empty when everything that is due has a place
 */
public record Discovery(List<Candidate> first, List<Lane> lanes) {

  public Discovery {
    first = List.copyOf(first);
    lanes = List.copyOf(lanes);
  }

  /** Leaves out candidates; their lanes keep their turn. */
  public Discovery only(Predicate<Candidate> wanted) {
    return new Discovery(
        first.stream().filter(wanted).toList(),
        lanes.stream()
            .map(
                lane ->
                    new Lane(
                        lane.contract(),
                        lane.scope(),
                        lane.candidates().stream().filter(wanted).toList()))
            .toList());
  }
}
