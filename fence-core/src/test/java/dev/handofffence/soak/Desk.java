package dev.handofffence.soak;

import dev.handofffence.CommandId;
import dev.handofffence.OperationResult;
import dev.handofffence.ScopeId;
import dev.handofffence.runtime.WorkOperator;
import dev.handofffence.work.CommandOutcome;
import dev.handofffence.work.EpochRelease;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.ScopeCommand;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkQuery;
import dev.handofffence.work.WorkState;
import dev.handofffence.work.WorkView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;

/**
 * The operators. They decide by what is true: an effect that the provider knows was applied; where
 * no handoff was ever committed nothing can have been sent, nor can it be any more, since the Work
 * is suspended. A handoff without a known effect stays undecided, as somebody may be about to send.
 */
final class Desk {

  private static final String WHO = "desk";

  private final Stage stage;

  Desk(Stage stage) {
    this.stage = stage;
  }

  /** Releases and decides what can be; returns how many commands changed something. */
  int decideAll() {
    int changed = 0;
    WorkOperator operator = stage.operator();
    for (ScopeId scope : scopes()) {
      changed += release(operator, scope);
      for (WorkView work : suspended(operator, scope)) {
        changed += decide(operator, scope, work) ? 1 : 0;
      }
    }
    return changed;
  }

  private List<ScopeId> scopes() {
    return Patience.ask(
        () ->
            stage.operator().scopes(Optional.empty(), 1_000).items().stream()
                .map(scope -> scope.scope())
                .toList());
  }

  private static int release(WorkOperator operator, ScopeId scope) {
    int released = 0;
    boolean more = true;
    while (more) {
      ScopeCommand command = ScopeCommand.of(scope, newCommand(), WHO, "release");
      OperationResult<EpochRelease> answer =
          Patience.ask(() -> operator.releaseEpoch(command, 100));
      more = answer.isSuccess() && answer.orElseThrow().more();
      released += answer.isSuccess() ? (int) answer.orElseThrow().released() : 0;
    }
    return released;
  }

  private static List<WorkView> suspended(WorkOperator operator, ScopeId scope) {
    List<WorkView> found = new ArrayList<>();
    Optional<WorkQuery> next = Optional.of(WorkQuery.of(scope).inState(WorkState.SUSPENDED));
    while (next.isPresent()) {
      WorkQuery query = next.get();
      var page = Patience.ask(() -> operator.works(query));
      found.addAll(page.items());
      next = page.next().map(query::after);
    }
    return found;
  }

  private boolean decide(WorkOperator operator, ScopeId scope, WorkView work) {
    WorkCommand prove = command(scope, work);
    if (knows("app.effect", work)) {
      Evidence applied = Evidence.applied(SoakWork.definition(work.providerSafety()), "seen");
      return isDone(() -> operator.resolve(prove, applied));
    } else if (!knows("app.ledger", work)) {
      return isDone(() -> operator.resolve(prove, Evidence.notApplied()))
          || goOn(operator, scope, work);
    }
    return isRepeatable(work) && isDone(() -> operator.retry(prove));
  }

  /** Nothing is in doubt about it: try again, or end it where it is not wanted any more. */
  private static boolean goOn(WorkOperator operator, ScopeId scope, WorkView work) {
    WorkCommand command = command(scope, work);
    return isDone(() -> operator.retry(command))
        || isDone(() -> operator.cancel(command(scope, work)));
  }

  private boolean knows(String table, WorkView work) {
    String question =
        "SELECT count(*) > 0 FROM %s WHERE activity_id = '%s'".formatted(table, work.activityId());
    return Patience.ask(() -> stage.database.ask(question)).equals("t");
  }

  private static boolean isRepeatable(WorkView work) {
    return work.providerSafety() == ProviderSafety.IDEMPOTENT
        || work.providerSafety() == ProviderSafety.PROVIDER_KEYED;
  }

  private static boolean isDone(Callable<OperationResult<CommandOutcome>> command) {
    return Patience.ask(command).isSuccess();
  }

  private static WorkCommand command(ScopeId scope, WorkView work) {
    return WorkCommand.of(scope, work.workId(), newCommand(), WHO, "decision")
        .expecting(work.revision());
  }

  private static CommandId newCommand() {
    return CommandId.of(WHO + '-' + UUID.randomUUID());
  }
}
