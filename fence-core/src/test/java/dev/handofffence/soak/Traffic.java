package dev.handofffence.soak;

import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.AttemptPlan;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** Accepts Work all the time, and repeats a command until it has an answer. */
final class Traffic {

  private static final List<ProviderSafety> SAFETIES = List.of(ProviderSafety.values());

  private static final int MOST_PENDING = 150;
  private static final int MOST_AT_ONCE = 30;
  private static final AttemptPlan PLAN =
      new AttemptPlan(
          List.of(
              Duration.ZERO, Duration.ofMillis(700), Duration.ofSeconds(2), Duration.ofSeconds(6)),
          Duration.ofSeconds(20));
  private static final Set<Problem> EXPLAINED =
      Set.of(Problem.SCOPE_DISABLED, Problem.DEADLINE_PASSED);

  private final Stage stage;
  private final Random random;
  private volatile boolean stopped;
  private int made;

  Traffic(Stage stage, long seed) {
    this.stage = stage;
    this.random = new Random(seed);
  }

  void stop() {
    stopped = true;
  }

  /** Runs until it is stopped; returns how many commands were made. */
  int run() {
    while (!stopped) {
      if (pending() < MOST_PENDING) {
        accept(Stream.generate(this::request).limit(1 + random.nextInt(MOST_AT_ONCE)).toList());
      }
      Patience.pause(100);
    }
    return made;
  }

  private int pending() {
    return Patience.ask(
        () -> Integer.parseInt(stage.database.ask("SELECT count(*) FROM durable.dispatch")));
  }

  private WorkRequest<String, String> request() {
    String key = "notice-" + ++made;
    ProviderSafety safety = SAFETIES.get(random.nextInt(SAFETIES.size()));
    WorkRequest<String, String> request =
        SoakWork.definition(safety)
            .request(stage.anyScope(random), CommandId.of(key), IdempotencyKey.of(key), key)
            .withPriority(random.nextInt(10));
    return switch (random.nextInt(10)) {
      case 0 -> request.withDelay(Duration.ofMillis(random.nextInt(2_000)));
      case 1 -> request.withDeadline(Instant.now().plusMillis(random.nextInt(5_000)));
      case 2 -> request.withAttemptPlan(PLAN);
      default -> request;
    };
  }

  private void accept(List<WorkRequest<String, String>> requests) {
    List<OperationResult<AcceptedWork>> answers = answers(requests);
    for (int i = 0; i < requests.size(); i++) {
      if (answers.get(i).isSuccess()) {
        ScopeId scope = requests.get(i).scope();
        stage.accepted.add(new Accepted(scope, answers.get(i).orElseThrow().workId()));
      }
    }
    if (random.nextInt(10) == 0) {
      requireSame(answers, answers(requests));
    }
  }

  private static void requireSame(
      List<OperationResult<AcceptedWork>> first, List<OperationResult<AcceptedWork>> again) {
    for (int i = 0; i < first.size(); i++) {
      if (first.get(i).isSuccess()
          && again.get(i).isSuccess()
          && !first.get(i).orElseThrow().workId().equals(again.get(i).orElseThrow().workId())) {
        throw new AssertionError("A repeated command was accepted again: " + first.get(i));
      }
    }
  }

  /** The answers of the active epoch; refusals are those that the turmoil explains. */
  private List<OperationResult<AcceptedWork>> answers(List<WorkRequest<String, String>> requests) {
    List<OperationResult<AcceptedWork>> answers = ask(requests);
    while (answers.contains(OperationResult.<AcceptedWork>failure(Problem.EPOCH_MISMATCH))) {
      Patience.pause(50);
      answers = ask(requests);
    }
    for (OperationResult<AcceptedWork> answer : answers) {
      if (answer instanceof OperationResult.Failure<AcceptedWork> refused
          && !EXPLAINED.contains(refused.problem())) {
        throw new AssertionError("Acceptance was refused: " + refused.problem());
      }
    }
    return answers;
  }

  private List<OperationResult<AcceptedWork>> ask(List<WorkRequest<String, String>> requests) {
    return Patience.ask(() -> stage.runtime().work().acceptAll(requests));
  }
}
