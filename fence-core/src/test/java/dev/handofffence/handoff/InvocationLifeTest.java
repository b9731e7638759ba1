package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.internal.handoff.Invocation;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jooq.ConnectionProvider;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.Test;

/**
 * A fence lives while its invocation's executor runs. Outside of that it refuses with DUR120, and
 * not one statement reaches the server: the connection it is given is never even touched.
 */
class InvocationLifeTest extends HandoffScene {

  @Test
  void fence_isDeadBeforeTheExecutorRuns() throws Exception {
    assertDead(work.invocation().fence());
  }

  @Test
  void fence_isDeadAfterTheExecutorReturned_onEveryThread() throws Exception {
    Invocation invocation = work.invocation();
    HandoffFence retained = invocation.run(invocation::fence);

    assertDead(retained);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      other
          .submit(
              () -> {
                assertDead(retained);
                return true;
              })
          .get();
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  void fence_isDeadAfterTheExecutorThrew() throws Exception {
    Invocation invocation = work.invocation();
    assertThatThrownBy(
            () ->
                invocation.run(
                    () -> {
                      throw new IllegalArgumentException("executor");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertDead(invocation.fence());
  }

  @Test
  void fence_isDeadOnceThePumpHasEndedTheInvocation() throws Exception {
    Invocation invocation = work.invocation();
    invocation.run(
        () -> {
          invocation.end();
          assertDead(invocation.fence());
          return true;
        });
  }

  @Test
  void fenceBorrowedFromAnEndedInvocation_isDead() throws Exception {
    Invocation ended = work.invocation();
    ended.run(() -> true);
    PermittedWork.create(database)
        .run(
            own -> {
              assertDead(ended.fence());
              return true;
            });
  }

  @Test
  void fenceBorrowedFromALiveInvocation_isDeadForTheBorrower() throws Exception {
    Invocation lender = work.invocation();
    lender.run(
        () ->
            PermittedWork.create(database)
                .run(
                    own -> {
                      assertDead(lender.fence());
                      return true;
                    }));
  }

  @Test
  void fence_worksOnAHelperThreadOfItsExecutor() throws Exception {
    ExecutorService helper = Executors.newSingleThreadExecutor();
    try {
      OperationResult<HandoffResult> result =
          work.run(
              fence ->
                  helper
                      .submit(
                          () ->
                              fence.execute(
                                  caller.connection(),
                                  (tx, token) -> true,
                                  CancellationToken.none()))
                      .get());
      assertThat(result.orElseThrow().handoffPrepared()).isTrue();
    } finally {
      helper.shutdownNow();
    }
  }

  @Test
  void invocation_runsOnce() throws Exception {
    Invocation invocation = work.invocation();
    invocation.run(() -> true);
    assertThatThrownBy(() -> invocation.run(() -> true)).isInstanceOf(IllegalStateException.class);
    assertDead(invocation.fence());
  }

  private static void assertDead(HandoffFence fence) throws Exception {
    OperationResult<HandoffResult> dead = OperationResult.failure(Problem.NO_LIVE_INVOCATION);
    assertThat(fence.execute(untouchable(Connection.class), (tx, t) -> fail(), none()))
        .isEqualTo(dead);
    DefaultConfiguration configuration = new DefaultConfiguration();
    configuration.set(SQLDialect.POSTGRES).set(untouchable(ConnectionProvider.class));
    assertThat(fence.execute(configuration, (tx, t) -> fail(), none())).isEqualTo(dead);
  }

  private static CancellationToken none() {
    return CancellationToken.none();
  }

  private static boolean fail() {
    throw new AssertionError("The callback must not run");
  }

  private static <T> T untouchable(Class<T> type) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              throw new AssertionError("A dead fence called " + method.getName());
            });
    return type.cast(proxy);
  }
}
