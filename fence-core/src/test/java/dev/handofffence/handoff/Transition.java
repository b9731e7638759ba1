package dev.handofffence.handoff;

import dev.handofffence.Problem;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork;
import java.sql.SQLException;

/**
 * Transitions that take the effect away from a claim, as the protocol prescribes them: every lock
 * in the global order, by the role that may, in a transaction of their own.
 */
enum Transition {
  /** An operator disables the scope: a tombstone, and its Work is suspended. */
  SCOPE_DISABLED(
      Problem.SCOPE_DISABLED,
      """
      SELECT durable.lock_exclusively(durable.scope_lock_key(durable.bound_scope()), interval '20 s');
      SELECT 1 FROM durable.work WHERE %1$s FOR NO KEY UPDATE;
      SELECT 1 FROM durable.dispatch WHERE %1$s FOR UPDATE;
      UPDATE durable.scope SET generation = generation + 1, state = 'disabled',
          changed_by = 'operator', change_reason = 'test' WHERE scope_id = durable.bound_scope();
      UPDATE durable.work SET state = 'suspended', suspend_reason = 'scope_disabled',
          lease_owner = NULL, revision = revision + 1 WHERE %1$s;
      DELETE FROM durable.dispatch WHERE %1$s
      """),

  /** An operator cancels the Work: after a permit that is a recorded intent. */
  CANCELLATION_REQUESTED(
      Problem.CANCELLATION_REQUESTED,
      """
      SELECT pg_advisory_xact_lock_shared(durable.scope_lock_key(durable.bound_scope()));
      SELECT 1 FROM durable.work WHERE %1$s FOR NO KEY UPDATE;
      UPDATE durable.work SET cancel_requested_at = clock_timestamp(), revision = revision + 1
          WHERE %1$s
      """),

  /** Another worker takes the Work over after its lease. */
  RECLAIMED(
      Problem.CLAIM_LOST,
      """
      SELECT pg_advisory_xact_lock_shared(durable.scope_lock_key(durable.bound_scope()));
      SELECT 1 FROM durable.work WHERE %1$s FOR NO KEY UPDATE;
      SELECT 1 FROM durable.dispatch WHERE %1$s FOR NO KEY UPDATE;
      UPDATE durable.work SET state = 'claimed', attempt = 2, lease_generation = 2,
          lease_owner = '00000000-0000-0000-0000-000000000002', revision = revision + 1 WHERE %1$s;
      UPDATE durable.dispatch SET lease_generation = 2,
          lease_owner = '00000000-0000-0000-0000-000000000002', leased_at = clock_timestamp(),
          lease_expires_at = clock_timestamp() + interval '1 minute' WHERE %1$s
      """),

  /** The pump completes the Work while its executor has left a transaction open. */
  COMPLETED(
      Problem.WORK_TERMINAL,
      """
      SELECT pg_advisory_xact_lock_shared(durable.scope_lock_key(durable.bound_scope()));
      SELECT 1 FROM durable.work WHERE %1$s FOR NO KEY UPDATE;
      SELECT 1 FROM durable.dispatch WHERE %1$s FOR UPDATE;
      UPDATE durable.work SET state = 'succeeded', lease_owner = NULL, revision = revision + 1
          WHERE %1$s;
      DELETE FROM durable.dispatch WHERE %1$s
      """);

  private final Problem refusal;
  private final String sql;

  Transition(Problem refusal, String sql) {
    this.refusal = refusal;
    this.sql = sql;
  }

  /** Returns what a handoff of the claim is told afterwards. */
  Problem refusal() {
    return refusal;
  }

  /** Opens a session of the role that carries it out. */
  CallerSession session(DurableDatabase database) throws SQLException {
    return CallerSession.open(
        this == RECLAIMED || this == COMPLETED ? database.runtime() : database.operator());
  }

  /** Carries it out, in a transaction that stays open. */
  void perform(CallerSession session, PermittedWork work) throws SQLException {
    session.execute(
        "SELECT set_config('durable.scope_id', '"
            + work.scopeId()
            + "', true); SELECT pg_advisory_xact_lock_shared(durable.epoch_lock_key()); "
            + sql.formatted(work.key()));
  }
}
