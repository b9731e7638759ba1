package dev.handofffence.internal.operator;

import dev.handofffence.Problem;
import dev.handofffence.internal.sql.CommandTransitionSql;
import dev.handofffence.work.CommandOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** What is to be done about a command and its locked Work. */
sealed interface CommandVerdict {

  /** Nothing. */
  record Refuse(Problem problem) implements CommandVerdict {}

  /** The step, of which this is the outcome. */
  record Perform(CommandOutcome.Change change, Step step) implements CommandVerdict {}

  /** One named transition. */
  @FunctionalInterface
  interface Step {
    /**
     * Makes the transition.
     *
     * @param outcome to be remembered with the command
     * @param epoch the active one
     */
    void take(CommandTransitionSql work, Connection transaction, String outcome, UUID epoch)
        throws SQLException;
  }
}
