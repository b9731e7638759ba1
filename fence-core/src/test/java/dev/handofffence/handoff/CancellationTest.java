package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationSource;
import dev.handofffence.fixture.ApplicationSchema;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.Rival;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

  @Test
  void interruptedThread_finishesTheCallAndStaysInterrupted() throws Exception {
    Thread.currentThread().interrupt();
    try {
      assertThat(hand((tx, token) -> Thread.currentThread().isInterrupted()).orElseThrow())
          .extracting(HandoffResult::handoffPrepared)
          .isEqualTo(true);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
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

    assertThatThrownBy(waiting::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(CancellationException.class);
    assertThat(caller.ask("SELECT 'usable'")).isEqualTo("usable");
    assertThat(caller.scope()).isEmpty();
    assertSavepointsReleased();
  }
}
