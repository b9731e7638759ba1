package org.example.trespasser;

import dev.handofffence.internal.claim.Claim;

/** A claim of its own making. */
final class ForgesAClaim {
  Claim mine;
}
