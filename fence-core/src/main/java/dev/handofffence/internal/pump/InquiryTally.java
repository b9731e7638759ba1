package dev.handofffence.internal.pump;

import dev.handofffence.Problem;
import dev.handofffence.runtime.ReconciliationResult;
import dev.handofffence.work.CommandOutcome;
import java.util.Optional;

/** Counts what a pass over suspended Work did. Thread-safe. */
final class InquiryTally {

  private int asked;
  private int applied;
  private int notApplied;
  private int undecided;
  private Optional<Problem> stoppedBy = Optional.empty();

  synchronized void asked() {
    asked++;
  }

  synchronized void decided(CommandOutcome.Change change) {
    if (change == CommandOutcome.Change.SUCCEEDED) {
      applied++;
    } else {
      notApplied++;
    }
  }

  synchronized void undecided() {
    undecided++;
  }

  synchronized void stopped(Problem problem) {
    stoppedBy = Optional.of(problem);
  }

  synchronized ReconciliationResult result() {
    return new ReconciliationResult(asked, applied, notApplied, undecided, stoppedBy);
  }
}
