package dev.handofffence.internal.claim;

import java.util.List;

/**
 * What waits in one contract and scope whose turn it is.
 *
 * @param contract position among the contracts that were asked for, from 1; 0 for the expired
 *     leases of all of them
 * @param scope where the next turn of this contract goes on; empty for the expired leases
 * @param candidates the first few that are due; empty when none is due yet
 */
public record Lane(int contract, String scope, List<Candidate> candidates) {

  public Lane {
    candidates = List.copyOf(candidates);
  }
}
