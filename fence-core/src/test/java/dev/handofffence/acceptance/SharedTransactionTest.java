package dev.handofffence.acceptance;

import static dev.handofffence.acceptance.Requests.request;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.ScopeId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.Waits;
import dev.handofffence.internal.work.Acceptance;
import dev.handofffence.internal.work.AcceptanceLimits;
import dev.handofffence.work.AcceptedWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Requests that come at the same time share a transaction, and nothing else. */
class SharedTransactionTest {

  private static final Set<Thread.State> WAITS =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  private final AcceptanceFixture fixture = new AcceptanceFixture();
  private final DurableDatabase database = fixture.database();
  private final Gate gate = new Gate();
  private final Acceptance acceptance = withPatience(Duration.ofMinutes(10));
  private final Queue<Thread> callers = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void useTheScopeFirst() {
    fixture.acceptance().accept(request("c0", "k0", "first use")).orElseThrow();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void requestsThatWaited_goTogetherEachWithItsOwnAnswer() {
    var answers = acceptWhileOneIsUnderway(10);
    gate.open();

    assertThat(answers).allSatisfy(answer -> assertThat(answer).succeedsWithin(20, SECONDS));
    assertThat(gate.passed.get()).as("one alone, ten together").isEqualTo(2);
    assertThat(answers.stream().map(answer -> answer.join().orElseThrow().workId()).distinct())
        .hasSize(11);
    assertThat(database.ask("SELECT count(*) FROM durable.dispatch")).isEqualTo("12");
    assertThat(
            database.ask(
                "SELECT count(DISTINCT xmin::text) FROM durable.work_identity WHERE command_id <> 'c0'"))
        .isEqualTo("2");
  }

  @Test
  void refusalOfOne_isNotTheOthers() {
    List<CompletableFuture<OperationResult<AcceptedWork>>> answers = acceptWhileOneIsUnderway(2);
    var conflict = accept("c0", "k0", "another content");
    awaitCallers(4);
    gate.open();

    assertThat(answers).allSatisfy(answer -> assertThat(answer).succeedsWithin(20, SECONDS));
    assertThat(answers).allMatch(answer -> answer.join().isSuccess());
    assertThat(conflict).succeedsWithin(20, SECONDS).matches(result -> !result.isSuccess());
  }

  @Test
  void failureOfASharedTrip_isNobodysAnswer() {
    var answers = acceptWhileOneIsUnderway(5);
    gate.fails.set(2); // the first goes alone, the second leads the others
    gate.open();

    assertThat(answers).allSatisfy(answer -> assertThat(answer).succeedsWithin(20, SECONDS));
    assertThat(gate.passed.get()).as("one, five in vain, five alone").isEqualTo(7);
  }

  @Test
  void refusalAfterATripInDoubt_isNotGiven_forTheTripMayHaveCommitted() {
    var answers = acceptWhileOneIsUnderway(5);
    database.inScope(
        Requests.SCOPE.value(),
        "UPDATE durable.scope SET state = 'disabled', generation = 2 WHERE scope_id = '%s'"
            .formatted(Requests.SCOPE.value()));
    gate.fails.set(2);
    gate.open();

    assertThat(answers.subList(1, 6))
        .allSatisfy(
            answer ->
                assertThat(answer)
                    .failsWithin(20, SECONDS)
                    .withThrowableOfType(ExecutionException.class)
                    .withMessageContaining("DUR103"));
  }

  @Test
  void firstUseOfAScope_isNoPartOfASharedTransaction() {
    var answers = acceptWhileOneIsUnderway(1);
    var first =
        Background.supply(
            () -> {
              callers.add(Thread.currentThread());
              return acceptance.accept(request(ScopeId.of("new"), "new", "new", "one"));
            });
    awaitCallers(3);
    gate.open();

    assertThat(answers).allSatisfy(answer -> assertThat(answer).succeedsWithin(20, SECONDS));
    assertThat(first).succeedsWithin(20, SECONDS).matches(OperationResult::isSuccess);
    assertThat(gate.passed.get()).as("one, two together, the new scope alone").isEqualTo(3);
  }

  @Test
  void tripThatDoesNotComeBack_holdsUpNobodyElse() {
    Acceptance impatient = withPatience(Duration.ofMillis(1));
    gate.stopsFirst.set(true);
    var stuck = accept(impatient, "stuck", "stuck", "one");
    Awaitility.await().until(() -> gate.waiting.get() == 1);

    assertThat(
            List.of(
                accept(impatient, "waits0", "waits0", "one"),
                accept(impatient, "waits1", "waits1", "one")))
        .allSatisfy(answer -> assertThat(answer).succeedsWithin(20, SECONDS));
    assertThat(stuck).isNotDone();
    gate.open();
    assertThat(stuck).succeedsWithin(20, SECONDS);
  }

  @Test
  void failureOfATripAlone_isThatOfItsCaller() {
    gate.open();
    gate.fails.set(1);

    assertThatThrownBy(() -> acceptance.accept(request("c1", "k1", "one")))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR103");
    assertThat(acceptance.accept(request("c1", "k1", "one")).isSuccess()).isTrue();
  }

  @Test
  void commandThatWaitsForAnothersTransaction_holdsUpNobodyElse() throws SQLException {
    gate.open();
    try (CallerSession holder = CallerSession.open(database)) {
      AcceptedWork first =
          fixture
              .acceptance()
              .accept(holder.connection(), request("held", "held", "one"))
              .orElseThrow();
      var repeated = List.of(accept("held", "held", "one"), accept("held", "held", "one"));
      Waits.untilBlockedBy(database, holder.backend());

      for (int i = 0; i < 20; i++) {
        assertThat(accept("free" + i, "free" + i, "one")).succeedsWithin(20, SECONDS);
      }
      assertThat(repeated).noneMatch(CompletableFuture::isDone);
      holder.commit();
      assertThat(repeated)
          .allSatisfy(
              answer ->
                  assertThat(answer)
                      .succeedsWithin(20, SECONDS)
                      .matches(result -> result.orElseThrow().workId().equals(first.workId())));
    }
  }

  @Test
  void sameCommandTwiceInOneTrip_isAcceptedOnce() {
    var answers = acceptWhileOneIsUnderway(1);
    answers.add(accept("waits0", "waits0", "one"));
    awaitCallers(3);
    gate.open();

    assertThat(answers).allSatisfy(answer -> assertThat(answer).succeedsWithin(20, SECONDS));
    assertThat(answers.get(2).join().orElseThrow().workId())
        .isEqualTo(answers.get(1).join().orElseThrow().workId());
  }

  private List<CompletableFuture<OperationResult<AcceptedWork>>> acceptWhileOneIsUnderway(
      int waiting) {
    List<CompletableFuture<OperationResult<AcceptedWork>>> answers = new ArrayList<>();
    answers.add(accept("first", "first", "one"));
    Awaitility.await().until(() -> gate.waiting.get() == 1);
    for (int i = 0; i < waiting; i++) {
      answers.add(accept("waits" + i, "waits" + i, "one"));
    }
    awaitCallers(1 + waiting);
    return answers;
  }

  private Acceptance withPatience(Duration patience) {
    return new Acceptance(database.store(), gate, AcceptanceLimits.standard(), true, patience);
  }

  private CompletableFuture<OperationResult<AcceptedWork>> accept(
      String command, String key, String payload) {
    return accept(acceptance, command, key, payload);
  }

  private CompletableFuture<OperationResult<AcceptedWork>> accept(
      Acceptance by, String command, String key, String payload) {
    return Background.supply(
        () -> {
          callers.add(Thread.currentThread());
          return by.accept(request(command, key, payload));
        });
  }

  private void awaitCallers(int count) {
    Awaitility.await()
        .until(
            () ->
                callers.size() == count
                    && callers.stream().allMatch(thread -> WAITS.contains(thread.getState())));
  }

  /** Connections that nobody gets before it is opened, or the first does not. */
  private final class Gate extends AbstractDataSource {

    private final CountDownLatch opened = new CountDownLatch(1);
    private final AtomicBoolean stopsFirst = new AtomicBoolean();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicInteger fails = new AtomicInteger();

    void open() {
      opened.countDown();
    }

    @Override
    public Connection getConnection() throws SQLException {
      if (waiting.getAndIncrement() == 0 || !stopsFirst.get()) {
        awaitOpen();
      }
      if (passed.incrementAndGet() == fails.get()) {
        throw new SQLException("No connection, this time", "08001");
      }
      return database.runtime().getConnection();
    }

    private void awaitOpen() throws SQLException {
      try {
        opened.await();
      } catch (InterruptedException e) {
        throw new SQLException(e);
      }
    }

    @Override
    public Connection getConnection(String user, String password) {
      throw new UnsupportedOperationException();
    }
  }
}
