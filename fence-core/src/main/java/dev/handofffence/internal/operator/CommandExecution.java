package dev.handofffence.internal.operator;

import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.sql.CommandRecord;
import dev.handofffence.internal.sql.CommandSql;
import dev.handofffence.internal.sql.CommandTransitionSql;
import dev.handofffence.internal.sql.PerformedCommand;
import dev.handofffence.internal.state.CommandFacts;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.work.CommandOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Carries out one command about one Work inside an open transaction. A command that was carried out
 * before is answered before anything else is looked at: the Work may be gone by then.
 */
final class CommandExecution {

  private final StoreIdentity store;
  private final CommandRecord command;
  private final Function<CommandFacts, CommandVerdict> judge;

  CommandExecution(
      StoreIdentity store, CommandRecord command, Function<CommandFacts, CommandVerdict> judge) {
    this.store = store;
    this.command = command;
    this.judge = judge;
  }

  CommandRecord command() {
    return command;
  }

  /** Judges what was locked, and makes the transition. */
  OperationResult<CommandOutcome> carryOut(Connection transaction, CommandSql.Locked locked)
      throws SQLException {
    Optional<Problem> unusable = StoreCheck.problem(locked.store(), store);
    if (unusable.isPresent()) {
      return OperationResult.failure(unusable.get());
    } else if (locked.performed() != null) {
      return repeated(locked.performed());
    } else if (locked.facts() == null) {
      return OperationResult.failure(
          locked.scopeExists() ? Problem.WORK_ABSENT : Problem.SCOPE_ABSENT);
    }
    return carryOut(transaction, locked.facts());
  }

  private OperationResult<CommandOutcome> repeated(PerformedCommand performed) {
    if (!performed.is(command)) {
      return OperationResult.failure(Problem.COMMAND_CONFLICT);
    }
    CommandOutcome.Change change =
        CommandOutcome.Change.valueOf(performed.outcome().toUpperCase(Locale.ROOT));
    return OperationResult.success(new CommandOutcome(change, performed.revision(), true));
  }

  private OperationResult<CommandOutcome> carryOut(Connection transaction, CommandFacts facts)
      throws SQLException {
    CommandVerdict verdict = judge(facts);
    if (verdict instanceof CommandVerdict.Refuse refusal) {
      return OperationResult.failure(refusal.problem());
    }
    CommandVerdict.Perform perform = (CommandVerdict.Perform) verdict;
    String outcome = perform.change().name().toLowerCase(Locale.ROOT);
    perform
        .step()
        .take(new CommandTransitionSql(command, facts.work()), transaction, outcome, store.epoch());
    return OperationResult.success(
        new CommandOutcome(perform.change(), facts.work().revision() + 1, false));
  }

  private CommandVerdict judge(CommandFacts facts) {
    OptionalLong expected = command.expectedRevision();
    if (isTerminal(facts)) {
      return new CommandVerdict.Refuse(Problem.WORK_TERMINAL);
    } else if (expected.isPresent() && expected.getAsLong() != facts.work().revision()) {
      return new CommandVerdict.Refuse(Problem.REVISION_CONFLICT);
    }
    return judge.apply(facts);
  }

  private static boolean isTerminal(CommandFacts facts) {
    return switch (facts.work().state()) {
      case SUCCEEDED, FAILED, CANCELED -> true;
      case READY, CLAIMED, PERMITTED, SUSPENDED -> false;
    };
  }
}
