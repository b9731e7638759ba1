package dev.handofffence.internal.state;

import dev.handofffence.generated.type.SuspendReason;
import org.jspecify.annotations.Nullable;

/**
 * One Work as it was under its locks, for the judgement of a command.
 *
 * @param suspendReason null when it is not suspended
 * @param contract name and version, with a slash between
 */
public record CommandFacts(WorkFacts work, @Nullable SuspendReason suspendReason, String contract) {

  /** Returns whether some permit may have had, or may still have, an effect. */
  public boolean effectIsPossible() {
    return work.permitIsOpen() || work.otherOpenPermits() > 0;
  }
}
