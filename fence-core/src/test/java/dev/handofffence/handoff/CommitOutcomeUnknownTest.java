package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.record;
import static dev.handofffence.testing.WirePoint.after;
import static dev.handofffence.testing.WirePoint.before;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.handofffence.TransactionId;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.Rival;
import dev.handofffence.internal.handoff.StoreTransactionOutcomes;
import dev.handofffence.testing.WireFault;
import dev.handofffence.testing.WireProxy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The connection is lost while COMMIT is under way: the application cannot know whether its handoff
 * was committed, so it does not send. The store knows, and the ledger agrees with it.
 */
class CommitOutcomeUnknownTest extends HandoffScene {

  private final List<String> sent = new ArrayList<>();
  private TransactionOutcomes outcomes;
  private WireProxy proxy;
  private volatile TransactionId transaction;

  @BeforeAll
  void findTheStore() {
    outcomes = new StoreTransactionOutcomes(database.runtime(), database.store());
  }

  @BeforeEach
  void callThroughAProxy() throws SQLException {
    sent.clear();
    transaction = new TransactionId(database.store(), 0); // of no transaction yet
    caller.close();
    proxy = database.proxy();
    caller = CallerSession.open(database.through(proxy, DurableDatabase.RUNTIME));
  }

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  @Test
  void answeredCommit_isSent() throws Exception {
    send("answered");
    assertThat(sent).containsExactly("answered");
  }

  @Test
  void cutBeforeTheCommitArrives_isNotSentAndAborted() {
    proxy.cut(before("COMMIT"));
    assertThatThrownBy(() -> send("cut before")).isInstanceOf(SQLException.class);

    await().until(() -> outcomes.outcomeOf(transaction) == TransactionOutcome.ABORTED);
    assertThat(sent).isEmpty();
    assertThat(application.isRecorded("cut before")).isFalse();
  }

  @Test
  void cutAfterTheCommit_isNotSentAlthoughCommitted() {
    proxy.cut(after("COMMIT"));
    assertThatThrownBy(() -> send("cut after")).isInstanceOf(SQLException.class);

    assertThat(outcomes.outcomeOf(transaction)).isEqualTo(TransactionOutcome.COMMITTED);
    assertThat(sent).isEmpty();
    assertThat(application.isRecorded("cut after")).isTrue();
  }

  /** An absent ledger row proves nothing while the lost transaction may still commit. */
  @Test
  void cutWhileTheServerCommits_isInProgressUntilItHasCommitted() throws Exception {
    commitsWaitForAnAdvisoryLock();
    int backend = caller.backend();
    try (Rival rival = Rival.open(database)) {
      rival.execute("SELECT pg_advisory_xact_lock(4711)");
      var call = Background.start(() -> send("committing"));
      rival.awaitBlocked(backend);
      caller.connection().abort(Runnable::run);
      assertThatThrownBy(call::result).isInstanceOf(SQLException.class);

      assertThat(application.isRecorded("committing")).isFalse();
      assertThatThrownBy(() -> outcomes.requireCommitted(transaction))
          .isInstanceOfSatisfying(
              HandoffNotCommittedException.class,
              e -> assertThat(e.outcome()).isEqualTo(TransactionOutcome.IN_PROGRESS));
      rival.commit();
      await().until(() -> outcomes.outcomeOf(transaction) == TransactionOutcome.COMMITTED);
    }
    assertThat(application.isRecorded("committing")).isTrue();
    assertThat(sent).isEmpty();
  }

  /** The COMMIT is on its way: the same question, asked too early, lets nothing through either. */
  @Test
  void commitOnItsWay_isInProgress() throws Exception {
    try (WireFault commit = proxy.hold(before("COMMIT"))) {
      var call = Background.start(() -> send("on its way"));
      commit.awaitReached();
      assertThat(outcomes.outcomeOf(transaction)).isEqualTo(TransactionOutcome.IN_PROGRESS);
      assertThat(sent).isEmpty();
      commit.release();
      call.result();
    }
    assertThat(sent).containsExactly("on its way");
  }

  /** As an application does it: hand off, commit, make sure, and only then call the provider. */
  private boolean send(String operation) throws Exception {
    transaction = hand((tx, token) -> record(tx, operation)).orElseThrow().transactionId();
    caller.commit();
    outcomes.requireCommitted(transaction);
    return sent.add(operation);
  }

  private void commitsWaitForAnAdvisoryLock() {
    database.execute(
        """
        CREATE FUNCTION app.wait() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_advisory_xact_lock(4711);
          RETURN NULL;
        END $$;
        CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON app.ledger
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.operation = 'committing')
            EXECUTE FUNCTION app.wait()
        """);
  }
}
