package dev.handofffence.consumer;

import static dev.handofffence.consumer.ReceiptFixture.SCOPE;
import static dev.handofffence.consumer.ReceiptFixture.receipt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.consumer.RecordingProvider.Delivery;
import dev.handofffence.runtime.PumpResult;
import dev.handofffence.work.AcceptedWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The application's flow through the library's public surface, with the restricted roles. */
class SendReceiptTest {

  private final ReceiptFixture receipts = new ReceiptFixture();

  @AfterEach
  void everyConnectionIsClosed() {
    receipts.close();
  }

  @Test
  void handoff_isCommittedAndThenSent() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));

    PumpResult pass = receipts.pass();

    assertThat(pass.succeeded()).isOne();
    assertThat(receipts.stateOf(work)).isEqualTo("succeeded");
    assertThat(receipts.ledger()).isEqualTo("r-1 " + work.activityId() + " 1");
    assertThat(receipts.provider.deliveries())
        .containsExactly(new Delivery(work.activityId(), receipt("r-1")));
  }

  @Test
  void provider_isCalledWithoutAnyOpenTransaction() throws Exception {
    receipts.accept("order-1", receipt("r-1"));

    receipts.pass(
        receipts.database.runtime(),
        (key, receipt, cancellation) ->
            receipts.database.ask(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND pid <> pg_backend_pid() AND xact_start IS NOT NULL"),
        work -> {});

    assertThat(
            receipts.database.ask("SELECT convert_from(result, 'UTF8') FROM durable.work_result"))
        .contains("\"0\"");
  }

  @Test
  void authorityRevokedAfterAcceptance_isDenied() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));
    receipts.desk().revoke(SCOPE, receipt("r-1").authorityKey());

    receipts.pass();

    assertDenied(work);
  }

  @Test
  void authorityRevokedAfterThePermit_isDenied() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));

    receipts.passStalled(stalled -> receipts.desk().revoke(SCOPE, receipt("r-1").authorityKey()));

    assertDenied(work);
  }

  @Test
  void operationOfAnotherActivity_isDenied() throws Exception {
    AcceptedWork first = receipts.accept("order-1", receipt("r-1"));
    receipts.pass();
    AcceptedWork second = receipts.accept("order-1-again", receipt("r-1"));

    receipts.pass();

    assertThat(receipts.lastCode(second)).isEqualTo("handoff_denied");
    assertThat(receipts.permitStates(second)).isEqualTo("no_effect");
    assertThat(receipts.ledger()).isEqualTo("r-1 " + first.activityId() + " 1");
    assertThat(receipts.provider.deliveries())
        .containsExactly(new Delivery(first.activityId(), receipt("r-1")));
  }

  @Test
  void expiredLease_isRefused() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));

    PumpResult pass = receipts.passStalled(receipts::expireLease);

    assertThat(pass.quarantined()).isOne();
    assertThat(receipts.ledger()).isEmpty();
    assertThat(receipts.provider.deliveries()).isEmpty();
    assertThat(receipts.stateOf(work)).isEqualTo("permitted");
  }

  @Test
  void claimTakenOverByAnotherWorker_isRefused() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));

    PumpResult stalled =
        receipts.passStalled(
            envelope -> {
              receipts.expireLease(envelope);
              assertThat(receipts.pass().succeeded()).isOne();
            });

    assertThat(stalled.quarantined()).isOne();
    assertThat(receipts.ledger()).isEqualTo("r-1 " + work.activityId() + " 2");
    assertThat(receipts.provider.deliveries())
        .containsExactly(new Delivery(work.activityId(), receipt("r-1")));
    assertThat(receipts.stateOf(work)).isEqualTo("succeeded");
  }

  @Test
  void cancellationRequestedBeforeTheFence_isRefused() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));

    receipts.passStalled(
        stalled ->
            receipts.database.execute(
                "UPDATE durable.work SET cancel_requested_at = clock_timestamp()"));

    assertThat(receipts.lastCode(work)).isEqualTo("handoff_refused");
    assertThat(receipts.stateOf(work)).isEqualTo("canceled");
    assertThat(receipts.ledger()).isEmpty();
    assertThat(receipts.provider.deliveries()).isEmpty();
  }

  @Test
  void shutdownBeforeTheCommit_leavesNothing() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));
    CancellationSource shutdown = new CancellationSource();

    receipts.passDecided(shutdown::cancel, shutdown.token());

    assertThat(receipts.lastCode(work)).isEqualTo("handoff_cancelled");
    assertThat(receipts.permitStates(work)).isEqualTo("no_effect");
    assertThat(receipts.ledger()).isEmpty();
    assertThat(receipts.provider.deliveries()).isEmpty();
  }

  @Test
  void shutdownAfterTheCommit_leavesTheLedgerAndSendsNothing() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));
    CancellationSource shutdown = new CancellationSource();

    receipts.passObserved(
        new ObservedDataSource.Observer() {
          @Override
          public void committed() {
            shutdown.cancel();
          }
        },
        shutdown.token());

    assertThat(receipts.lastCode(work)).isEqualTo("handoff_cancelled");
    assertThat(receipts.permitStates(work)).isEqualTo("no_effect");
    assertThat(receipts.ledger()).isEqualTo("r-1 " + work.activityId() + " 1");
    assertThat(receipts.provider.deliveries()).isEmpty();
  }

  @Test
  void commitThatRolledBackBecauseOfASwallowedError_isNotSent() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));

    receipts.passObserved(
        new ObservedDataSource.Observer() {
          @Override
          public void ending(Connection transaction) {
            failAndSwallow(transaction);
          }
        },
        CancellationToken.none());

    assertThat(receipts.lastCode(work)).isEqualTo("handoff_failed");
    assertThat(receipts.permitStates(work)).isEqualTo("no_effect");
    assertThat(receipts.ledger()).isEmpty();
    assertThat(receipts.provider.deliveries()).isEmpty();
  }

  @Test
  void crashBetweenCommitAndSend_isPreparedAgainUnderTheSameKey() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));
    AtomicBoolean crashed = new AtomicBoolean();
    ReceiptProvider crashing =
        (key, receipt, cancellation) -> {
          if (crashed.compareAndSet(false, true)) {
            throw new IllegalStateException("the process died before it sent anything");
          }
          return receipts.provider.send(key, receipt, cancellation);
        };

    receipts.pass(receipts.database.runtime(), crashing, stalled -> {});
    assertThat(receipts.ledger()).isEqualTo("r-1 " + work.activityId() + " 1");
    assertThat(receipts.permitStates(work)).isEqualTo("unresolved");

    receipts.makeDue(work);
    receipts.pass(receipts.database.runtime(), crashing, stalled -> {});

    assertSentByTheSecondAttempt(work);
  }

  @Test
  void commitWhoseAnswerWasLost_isFoundAndSentByALaterAttempt() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));

    receipts.passObserved(
        new ObservedDataSource.Observer() {
          @Override
          public void committed() {
            throw new LostAnswer();
          }
        },
        CancellationToken.none());

    assertThat(receipts.provider.deliveries()).isEmpty();
    assertThat(receipts.lastCode(work)).isEqualTo("handoff_failed");
    assertThat(receipts.permitStates(work)).isEqualTo("no_effect");
    assertThat(receipts.ledger()).isEqualTo("r-1 " + work.activityId() + " 1");

    receipts.makeDue(work);
    receipts.pass();

    assertSentByTheSecondAttempt(work);
  }

  @Test
  void commitThatNeverArrived_isPreparedByALaterAttempt() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));

    receipts.passObserved(
        new ObservedDataSource.Observer() {
          @Override
          public void ending(Connection transaction) {
            throw new LostAnswer();
          }
        },
        CancellationToken.none());

    assertThat(receipts.provider.deliveries()).isEmpty();
    assertThat(receipts.lastCode(work)).isEqualTo("handoff_failed");
    assertThat(receipts.permitStates(work)).isEqualTo("no_effect");
    assertThat(receipts.ledger()).isEmpty();

    receipts.makeDue(work);
    receipts.pass();

    assertSentByTheSecondAttempt(work);
  }

  @Test
  void databaseThatGivesNoConnection_isRetried() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));

    receipts.pass(receipts.database.withoutLogin(), receipts.provider, stalled -> {});

    assertThat(receipts.lastCode(work)).isEqualTo("handoff_failed");
    assertThat(receipts.permitStates(work)).isEqualTo("no_effect");
    assertThat(receipts.provider.deliveries()).isEmpty();
  }

  @Test
  void authorityLockedTooLong_isRetried() throws Exception {
    AcceptedWork work = receipts.accept("order-1", receipt("r-1"));

    try (var revocation = receipts.database.superuser().getConnection();
        var statement = revocation.createStatement()) {
      revocation.setAutoCommit(false);
      statement.execute("SELECT FROM consumer.authority FOR UPDATE");
      receipts.pass();
      revocation.rollback();
    }

    assertThat(receipts.lastCode(work)).isEqualTo("handoff_busy");
    assertThat(receipts.permitStates(work)).isEqualTo("no_effect");
    assertThat(receipts.ledger()).isEmpty();
    assertThat(receipts.provider.deliveries()).isEmpty();
  }

  private static void failAndSwallow(Connection transaction) {
    try (var statement = transaction.createStatement()) {
      statement.execute("SELECT 1 / 0");
    } catch (SQLException expected) {
      // As an application would that hides its errors.
    }
  }

  /** What a connection that breaks during COMMIT leaves its caller with. */
  private static final class LostAnswer extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void assertSentByTheSecondAttempt(AcceptedWork work) {
    assertThat(receipts.ledger()).isEqualTo("r-1 " + work.activityId() + " 2");
    assertThat(receipts.provider.deliveries())
        .containsExactly(new Delivery(work.activityId(), receipt("r-1")));
    assertThat(receipts.stateOf(work)).isEqualTo("succeeded");
  }

  private void assertDenied(AcceptedWork work) {
    assertThat(receipts.lastCode(work)).isEqualTo("handoff_denied");
    assertThat(receipts.stateOf(work)).isEqualTo("ready");
    assertThat(receipts.permitStates(work)).isEqualTo("no_effect");
    assertThat(receipts.ledger()).isEmpty();
    assertThat(receipts.provider.deliveries()).isEmpty();
  }
}
