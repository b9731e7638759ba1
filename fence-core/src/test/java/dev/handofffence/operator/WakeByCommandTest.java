package dev.handofffence.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.operator.OperatorScene.At;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.ScopeCommand;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** A command that makes Work runnable wakes idle hosts, as an acceptance does. */
class WakeByCommandTest {

  private final OperatorScene scene = new OperatorScene();
  private final ScopeId scope = OperatorScene.newScope();
  private Connection listener;

  @BeforeEach
  void listen() throws SQLException {
    listener = scene.database.superuser().getConnection();
    listener.createStatement().execute("LISTEN durable_work");
  }

  @AfterEach
  void close() throws SQLException {
    listener.close();
    scene.close();
  }

  @Test
  void retry_notifies() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_FOR_CONTRACT, scope, ProviderSafety.IDEMPOTENT);
    suspendInDoubt(work);
    idleHost();

    scene.operator().retry(scene.currentCommand(scope, work)).orElseThrow();

    assertThat(notifications()).isEqualTo(1);
  }

  @Test
  void release_notifies() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_FOR_CONTRACT, scope, ProviderSafety.IDEMPOTENT);
    idleHost();

    scene.operator().release(scene.currentCommand(scope, work)).orElseThrow();

    assertThat(notifications()).isEqualTo(1);
  }

  @Test
  void proofThatNothingWasSent_notifies() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_IN_DOUBT, scope, ProviderSafety.RECONCILE_BEFORE_RETRY);
    idleHost();

    scene
        .operator()
        .reconcile(scene.currentCommand(scope, work), Evidence.notApplied())
        .orElseThrow();

    assertThat(scene.state(work)).isEqualTo("ready");
    assertThat(notifications()).isEqualTo(1);
  }

  @Test
  void releaseOfAnEpoch_notifies() throws SQLException {
    scene.accept(scope, ProviderSafety.IDEMPOTENT);
    scene.rotateEpoch();
    idleHost();

    scene
        .operator()
        .releaseEpoch(ScopeCommand.of(scope, OperatorScene.newCommand(), "olga", "restored"), 10)
        .orElseThrow();

    assertThat(notifications()).isEqualTo(1);
  }

  @Test
  void command_withoutAnIdleHost_doesNotNotify() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_FOR_CONTRACT, scope, ProviderSafety.IDEMPOTENT);

    scene.operator().release(scene.currentCommand(scope, work)).orElseThrow();

    assertThat(notifications()).isZero();
  }

  /** As an executor's ambiguous exits would leave it after the last attempt. */
  private void suspendInDoubt(WorkId work) {
    scene.database.execute(
        "UPDATE durable.work SET suspend_reason = 'ambiguous_outcome' WHERE work_id = '%s'"
            .formatted(work));
  }

  private void idleHost() {
    scene.database.execute(
        """
        INSERT INTO durable.worker (worker_id, incarnation, display_name, epoch, idle_until)
        VALUES (gen_random_uuid(), gen_random_uuid(), 'idle', gen_random_uuid(), now() + interval '1 hour')
        """);
  }

  private int notifications() throws SQLException {
    listener.createStatement().execute("SELECT 1"); // what has been sent comes with the answer
    return listener.unwrap(PGConnection.class).getNotifications().length;
  }
}
