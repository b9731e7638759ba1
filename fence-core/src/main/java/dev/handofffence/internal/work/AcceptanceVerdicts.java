package dev.handofffence.internal.work;

import dev.handofffence.ActivityId;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.internal.sql.AcceptanceAnswer;
import dev.handofffence.internal.sql.AcceptanceAnswer.RequestAnswer;
import dev.handofffence.internal.sql.NewWork;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.transaction.CallersTransaction;
import dev.handofffence.work.AcceptedWork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Says what became of each request of a batch, from what the trips found. */
final class AcceptanceVerdicts {

  private final StoreIdentity store;
  private final Map<Integer, NewWork> undecided = new HashMap<>();
  private final Map<Integer, OperationResult<AcceptedWork>> decided = new TreeMap<>();

  AcceptanceVerdicts(StoreIdentity store, SortedMap<String, List<NewWork>> works) {
    this.store = store;
    works.values().forEach(all -> all.forEach(work -> undecided.put(work.position(), work)));
  }

  /**
   * Judges in the order of protocol section 7; what waits for the first use of its scope stays
   * undecided.
   *
   * @throws dev.handofffence.DurableException DUR101 when the trip kept its hands off the
   *     transaction because of its isolation level
   */
  void judge(AcceptanceAnswer answer) {
    if (!answer.isolation().equals("read committed")) {
      throw CallersTransaction.required("isolation level " + answer.isolation());
    }
    StoreCheck.problem(answer.store(), store)
        .ifPresentOrElse(this::refuseAll, () -> answer.requests().forEach(this::judge));
  }

  void refuseAll(Problem problem) {
    List.copyOf(undecided.keySet()).forEach(position -> refuse(position, problem));
  }

  /** Returns what is undecided by scope: nothing but requests of absent scopes. */
  SortedMap<String, List<NewWork>> ofAbsentScopes() {
    SortedMap<String, List<NewWork>> absent = new TreeMap<>();
    for (NewWork work : undecided.values()) {
      String scope = work.request().scope().value();
      absent.computeIfAbsent(scope, s -> new ArrayList<>()).add(work);
    }
    return absent;
  }

  /** Returns the result of the request at that position; empty when it is undecided. */
  Optional<OperationResult<AcceptedWork>> of(int position) {
    return Optional.ofNullable(decided.get(position));
  }

  /** Returns the results in the order of the requests. */
  List<OperationResult<AcceptedWork>> all() {
    if (!undecided.isEmpty()) {
      throw new IllegalStateException("Neither accepted nor refused: " + undecided.size());
    }
    return List.copyOf(decided.values());
  }

  private void judge(RequestAnswer answer) {
    if (answer.scope() == ScopeState.ACTIVE) {
      judgeIdentity(answer);
    } else if (answer.scope() == ScopeState.DISABLED) {
      refuse(answer.position(), Problem.SCOPE_DISABLED);
    }
  }

  private void judgeIdentity(RequestAnswer known) {
    NewWork asked = Objects.requireNonNull(undecided.get(known.position()));
    if (known.workId() == null || known.activityId() == null) {
      refuse(known.position(), unwritten(asked));
    } else if (known.sameContent()) {
      boolean duplicate = !known.workId().equals(asked.workId());
      decide(
          known.position(),
          OperationResult.success(
              new AcceptedWork(
                  new WorkId(known.workId()), new ActivityId(known.activityId()), duplicate)));
    } else {
      refuse(known.position(), Problem.COMMAND_CONFLICT);
    }
  }

  /** Without a deadline the only way is that retention forgot the same command just now. */
  private static Problem unwritten(NewWork asked) {
    return asked.request().deadline().isPresent()
        ? Problem.DEADLINE_PASSED
        : Problem.COMMAND_IN_PROGRESS;
  }

  private void refuse(int position, Problem problem) {
    decide(position, OperationResult.failure(problem));
  }

  private void decide(int position, OperationResult<AcceptedWork> result) {
    undecided.remove(position);
    decided.put(position, result);
  }
}
