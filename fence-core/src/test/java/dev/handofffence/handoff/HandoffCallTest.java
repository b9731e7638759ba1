package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.authorizeAndRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.Configuration;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** What a callback is given, and how calls of one fence follow each other. */
class HandoffCallTest extends HandoffScene {

  @Test
  void callback_getsTheExactConfigurationAndTokenOnce() throws Exception {
    Configuration transaction = DSL.using(caller.connection(), SQLDialect.POSTGRES).configuration();
    CancellationToken token = new CancellationSource().token();
    List<Object> given = new ArrayList<>();

    work.run(
        fence ->
            fence.execute(
                transaction,
                (configuration, cancellation) -> {
                  given.add(configuration);
                  given.add(cancellation);
                  return true;
                },
                token));

    assertThat(given).hasSize(2);
    assertThat(given.get(0)).isSameAs(transaction);
    assertThat(given.get(1)).isSameAs(token);
  }

  @Test
  void callback_getsTheExactConnectionAndTokenOnce() throws Exception {
    CancellationToken token = new CancellationSource().token();
    List<Object> given = new ArrayList<>();

    hand(
        (connection, cancellation) -> {
          given.add(connection);
          given.add(cancellation);
          return true;
        },
        token);

    assertThat(given).hasSize(2);
    assertThat(given.get(0)).isSameAs(caller.connection());
    assertThat(given.get(1)).isSameAs(token);
  }

  @Test
  void sequentialCalls_work_andTheConditionalLedgerWriteMakesTheSecondFalse() throws Exception {
    application.authorize("twice");
    work.run(
        fence -> {
          List<Boolean> prepared = new ArrayList<>();
          for (int call = 0; call < 3; call++) {
            prepared.add(
                fence
                    .execute(
                        caller.connection(),
                        (tx, token) -> authorizeAndRecord(tx, "twice"),
                        CancellationToken.none())
                    .orElseThrow()
                    .handoffPrepared());
          }
          assertThat(prepared).containsExactly(true, false, false);
          return prepared;
        });
    caller.commit();
    assertThat(application.isRecorded("twice")).isTrue();
  }

  @Test
  void reentrantCall_throwsBeforeASecondCallback_andTheFenceWorksAfterwards() throws Exception {
    AtomicInteger callbacks = new AtomicInteger();
    work.run(
        fence -> {
          assertThatThrownBy(
                  () ->
                      fence.execute(
                          caller.connection(),
                          (tx, token) -> {
                            callbacks.incrementAndGet();
                            fence.execute(tx, (inner, t) -> callbacks.incrementAndGet() > 0, token);
                            return true;
                          },
                          CancellationToken.none()))
              .isInstanceOf(IllegalStateException.class);
          assertThat(callbacks).hasValue(1);
          return assertStillWorks(fence);
        });
  }

  @Test
  void overlappingCall_throwsBeforeASecondCallback_andTheFenceWorksAfterwards() throws Exception {
    CountDownLatch inCallback = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger callbacks = new AtomicInteger();
    ExecutorService helper = Executors.newSingleThreadExecutor();
    try {
      work.run(
          fence -> {
            Future<Boolean> first =
                helper.submit(
                    () ->
                        fence
                            .execute(
                                caller.connection(),
                                (tx, token) -> {
                                  callbacks.incrementAndGet();
                                  inCallback.countDown();
                                  goOn.await();
                                  return true;
                                },
                                CancellationToken.none())
                            .orElseThrow()
                            .handoffPrepared());
            inCallback.await();
            assertThatThrownBy(
                    () ->
                        fence.execute(
                            caller.connection(),
                            (tx, token) -> callbacks.incrementAndGet() > 0,
                            CancellationToken.none()))
                .isInstanceOf(IllegalStateException.class);
            goOn.countDown();
            assertThat(first.get()).isTrue();
            assertThat(callbacks).hasValue(1);
            return assertStillWorks(fence);
          });
    } finally {
      helper.shutdownNow();
    }
  }

  @Test
  @SuppressWarnings("NullAway") // null is what is tested
  void nullArgument_isRefusedAndTheTransactionStaysUsable() throws Exception {
    work.run(
        fence -> {
          ConnectionHandoffCallback<RuntimeException> callback = (tx, token) -> true;
          CancellationToken none = CancellationToken.none();
          Configuration configuration =
              DSL.using(caller.connection(), SQLDialect.POSTGRES).configuration();
          assertThatThrownBy(() -> fence.execute((Configuration) null, (c, t) -> true, none))
              .isInstanceOf(NullPointerException.class);
          assertThatThrownBy(() -> fence.execute(configuration, null, none))
              .isInstanceOf(NullPointerException.class);
          assertThatThrownBy(() -> fence.execute(caller.connection(), callback, null))
              .isInstanceOf(NullPointerException.class);
          return assertStillWorks(fence);
        });
  }

  private Object assertStillWorks(HandoffFence fence) {
    HandoffResult again =
        fence
            .execute(caller.connection(), (tx, token) -> true, CancellationToken.none())
            .orElseThrow();
    assertThat(again.handoffPrepared()).isTrue();
    return again;
  }
}
