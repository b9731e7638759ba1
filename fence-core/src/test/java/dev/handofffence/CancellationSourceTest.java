package dev.handofffence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CancellationSourceTest {

  private final AtomicInteger runs = new AtomicInteger();
  private final CancellationSource source = new CancellationSource();

  @Test
  void action_runsOnceHoweverOftenTheSourceIsCancelled() {
    source.token().onCancel(runs::incrementAndGet);
    assertThat(source.token().isCancelled()).isFalse();
    source.cancel();
    source.cancel();
    assertThat(source.token().isCancelled()).isTrue();
    assertThat(runs).hasValue(1);
  }

  @Test
  void actionRegisteredAfterwards_runsAtOnce() {
    source.cancel();
    source.token().onCancel(runs::incrementAndGet);
    assertThat(runs).hasValue(1);
  }

  @Test
  void closedRegistration_neverRuns() {
    CancellationToken.Registration registration = source.token().onCancel(runs::incrementAndGet);
    registration.close();
    registration.close();
    source.cancel();
    assertThat(runs).hasValue(0);
  }

  @Test
  void throwIfCancelled_throwsOnlyThen() {
    source.token().throwIfCancelled();
    source.cancel();
    assertThatThrownBy(() -> source.token().throwIfCancelled())
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void throwingAction_doesNotKeepTheOthersFromRunning() {
    IllegalStateException first = new IllegalStateException("first");
    IllegalStateException second = new IllegalStateException("second");
    source.token().onCancel(() -> raise(first));
    source.token().onCancel(runs::incrementAndGet);
    source.token().onCancel(() -> raise(second));

    assertThatThrownBy(source::cancel).isSameAs(first).hasSuppressedException(second);
    assertThat(runs).hasValue(1);
  }

  @Test
  void linkedSource_isCancelledWithAnyParentAndCancelsNone() {
    CancellationSource other = new CancellationSource();
    try (CancellationSource linked = CancellationSource.linkedTo(source.token(), other.token())) {
      other.cancel();
      assertThat(linked.token().isCancelled()).isTrue();
      assertThat(source.token().isCancelled()).isFalse();
    }
    try (CancellationSource linked = CancellationSource.linkedTo(source.token())) {
      linked.cancel();
      assertThat(source.token().isCancelled()).isFalse();
    }
  }

  @Test
  void linkToACancelledParent_isCancelledAtOnce() {
    source.cancel();
    try (CancellationSource linked = CancellationSource.linkedTo(source.token())) {
      assertThat(linked.token().isCancelled()).isTrue();
    }
  }

  @Test
  void closedLinkedSource_followsNobody() {
    CancellationSource linked = CancellationSource.linkedTo(source.token());
    linked.close();
    source.cancel();
    assertThat(linked.token().isCancelled()).isFalse();
  }

  @Test
  void timeThatIsOver_cancels() {
    source.cancelAfter(Duration.ofDays(1)).cancelAfter(Duration.ofMillis(1));
    await().until(source.token()::isCancelled);
    source.close();
  }

  @Test
  void negativeTime_isRefused() {
    assertThatThrownBy(() -> source.cancelAfter(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void closedSource_isNotCancelledByItsTime() {
    CancellationSource stopped = new CancellationSource().cancelAfter(Duration.ofMillis(50));
    stopped.close();
    source.cancelAfter(Duration.ofMillis(100));
    await().until(source.token()::isCancelled);
    assertThat(stopped.token().isCancelled()).isFalse();
  }

  @Test
  void closing_waitsForARunInProgress() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CancellationToken.Registration registration =
        source
            .token()
            .onCancel(
                () -> {
                  running.countDown();
                  awaitQuietly(goOn);
                  runs.incrementAndGet();
                });
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<?> cancelling = threads.submit(source::cancel);
      running.await();
      Future<Integer> seenAfterClose =
          threads.submit(
              () -> {
                registration.close();
                return runs.get();
              });
      goOn.countDown();
      assertThat(seenAfterClose.get()).isEqualTo(1);
      cancelling.get();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void action_mayCloseItsOwnRegistration() {
    CancellationToken.Registration[] own = new CancellationToken.Registration[1];
    own[0] =
        source
            .token()
            .onCancel(
                () -> {
                  own[0].close();
                  runs.incrementAndGet();
                });
    source.cancel();
    assertThat(runs).hasValue(1);
  }

  @Test
  void cancelRacingARegistration_runsTheActionExactlyOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 2_000; round++) {
        CancellationSource raced = new CancellationSource();
        AtomicInteger ran = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(2);
        Future<?> cancelling =
            threads.submit(
                () -> {
                  start.await();
                  raced.cancel();
                  return ran;
                });
        Future<?> registering =
            threads.submit(
                () -> {
                  start.await();
                  return raced.token().onCancel(ran::incrementAndGet);
                });
        cancelling.get();
        registering.get();
        assertThat(ran).hasValue(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void raise(RuntimeException e) {
    throw e;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
