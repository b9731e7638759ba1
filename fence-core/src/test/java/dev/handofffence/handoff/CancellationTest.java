package dev.handofffence.handoff;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.fixture.ApplicationSchema;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.Rival;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The caller's token ends a wait at once, and only that. */
class CancellationTest extends HandoffScene {

  private final ExecutorService helper = Executors.newSingleThreadExecutor();

  @AfterAll
  void stopHelper() {
    helper.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void tokenCancelledWhileWaitingForARow_endsTheWaitAndLeavesNothing(Row row) throws Exception {
    try (Rival rival = Rival.open(database)) {
      rival.hold(work, Set.of(row));
      assertCancelEndsTheWait(rival, (tx, token) -> true);
    }
    assertNothingLocked();
  }

  @Test
  void tokenCancelledWhileWaitingForTheEpoch_endsTheWaitAndLeavesNothing() throws Exception {
    try (Rival rival = Rival.open(database)) {
      rival.holdEpoch();
      assertCancelEndsTheWait(rival, (tx, token) -> true);
    }
    assertNothingLocked();
  }

  @Test
  void tokenCancelledWhileTheCallbackWaits_endsTheWaitAndLeavesNothing() throws Exception {
    application.authorize("waits");
    try (Rival rival = Rival.open(database)) {
      rival.execute("SELECT 1 FROM app.authority WHERE operation = 'waits' FOR UPDATE");
      assertCancelEndsTheWait(
          rival, (tx, token) -> ApplicationSchema.authorizeAndRecord(tx, "waits"));
    }
    assertNothingLocked();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void tokenCancelledRightAfterATripOfTheFence_isSeenBeforeTheDecision(int trip) throws Exception {
    CancellationSource source = new CancellationSource();
    Connection watched = cancellingAfterTrip(trip, source);

    assertThatThrownBy(
            () -> work.run(fence -> fence.execute(watched, (tx, t) -> true, source.token())))
        .isInstanceOf(CancellationException.class);
    assertNothingLocked();
    assertSavepointsReleased();
  }

  @Test
  void tokenCancelledRightAfterTheEntry_winsOverARefusal() throws Exception {
    CancellationSource source = new CancellationSource();
    Connection watched = cancellingAfterTrip(1, source);
    work.update(Row.WORK, "attempt = 0");

    assertThatThrownBy(
            () -> work.run(fence -> fence.execute(watched, (tx, t) -> true, source.token())))
        .isInstanceOf(CancellationException.class);
    assertNothingLocked();
  }

  private Connection cancellingAfterTrip(int trip, CancellationSource source) {
    AtomicInteger trips = new AtomicInteger();
    return intercepting(
        Connection.class,
        caller.connection(),
        "prepareStatement",
        statement ->
            trips.incrementAndGet() == trip
                ? intercepting(
                    PreparedStatement.class,
                    requireNonNull((PreparedStatement) statement),
                    "close",
                    nothing -> {
                      source.cancel();
                      return nothing;
                    })
                : statement);
  }

  /** The same object, but what one method returns goes through the function. */
  private static <T> T intercepting(
      Class<T> type, T real, String method, UnaryOperator<@Nullable Object> answer) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, called, arguments) -> {
              Object result = called.invoke(real, arguments);
              return called.getName().equals(method) ? answer.apply(result) : result;
            });
    return type.cast(proxy);
  }

  /** On a virtual thread the driver would close the socket otherwise. */
  @Test
  void interruptedThread_sendsTheFencesStatementsUninterruptedAndStaysInterrupted()
      throws Exception {
    List<Boolean> interrupted = new ArrayList<>();
    Connection watched =
        intercepting(
            Connection.class,
            caller.connection(),
            "prepareStatement",
            statement -> {
              interrupted.add(Thread.currentThread().isInterrupted());
              return statement;
            });
    Thread.currentThread().interrupt();
    try {
      boolean prepared =
          work.run(
                  fence ->
                      fence.execute(
                          watched,
                          (tx, t) -> Thread.currentThread().isInterrupted(),
                          CancellationToken.none()))
              .orElseThrow()
              .handoffPrepared();
      assertThat(prepared).isTrue();
      assertThat(interrupted).containsExactly(false, false, false);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private void assertCancelEndsTheWait(Rival rival, ConnectionHandoffCallback<Exception> callback)
      throws Exception {
    caller.execute("SET lock_timeout = 0");
    int backend = caller.backend();
    caller.commit();
    CancellationSource source = new CancellationSource();
    Future<?> waiting = helper.submit(() -> hand(callback, source.token()));
    rival.awaitBlocked(backend);
    source.cancel();

    assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(CancellationException.class);
    assertThat(caller.ask("SELECT 'usable'")).isEqualTo("usable");
    assertThat(caller.scope()).isEmpty();
    assertSavepointsReleased();
  }
}
