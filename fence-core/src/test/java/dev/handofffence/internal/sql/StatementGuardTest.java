package dev.handofffence.internal.sql;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.handofffence.internal.thread.CancelCourier;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** A request to cancel reaches the section it is meant for, and nothing that follows it. */
class StatementGuardTest {

  private final Semaphore requests = new Semaphore(0);
  private final PGConnection connection = connection();

  @Test
  void cancel_isRepeatedUntilTheSectionEnds() throws Exception {
    StatementGuard guard = new StatementGuard(CancelCourier.INSTANCE);
    guard.enter(connection);
    guard.cancel();

    assertThat(requests.tryAcquire(4, 10, SECONDS)).as("four requests, all lost").isTrue();
    guard.exit();
  }

  @Test
  void sectionThatHasEnded_isNotCancelled() {
    List<Runnable> deliveries = new ArrayList<>();
    StatementGuard guard = new StatementGuard(deliveries::add);
    guard.enter(connection);
    guard.cancel();
    guard.exit();

    deliveries.forEach(Runnable::run);
    assertThat(requests.availablePermits()).isZero();
  }

  @Test
  void cancelledGuard_letsNoSectionBegin() {
    StatementGuard guard = new StatementGuard(CancelCourier.INSTANCE);
    guard.cancel();

    assertThat(guard.enter(connection)).isFalse();
    assertThat(requests.availablePermits()).isZero();
  }

  /** Its first statement sets the savepoint that undoes the rest: it must not be the one hit. */
  @Test
  void section_isGivenTimeToEndByItself() throws Exception {
    List<Runnable> deliveries = new ArrayList<>();
    StatementGuard guard = new StatementGuard(deliveries::add, Long.MAX_VALUE);
    guard.enter(connection);
    guard.cancel();
    Thread courier = new Thread(deliveries.get(0));
    courier.start();

    await().until(() -> courier.getState() == Thread.State.TIMED_WAITING);
    assertThat(requests.availablePermits()).isZero();
    guard.exit();
    courier.join();
    assertThat(requests.availablePermits()).isZero();
  }

  /** Every request is lost, and the first one cannot even be delivered. */
  private PGConnection connection() {
    Object proxy =
        Proxy.newProxyInstance(
            PGConnection.class.getClassLoader(),
            new Class<?>[] {PGConnection.class},
            (self, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("cancelQuery");
              requests.release();
              if (requests.availablePermits() == 1) {
                throw new SQLException("not delivered");
              }
              return null;
            });
    return (PGConnection) proxy;
  }
}
